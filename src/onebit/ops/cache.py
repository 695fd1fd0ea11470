"""A disk cache for compiled entry points that notices when anything one calls has changed.

Numba's own cache looks at the file of the outermost function only, and cannot key closures over other
compiled functions at all. This one keys an entry point by a digest of its bytecode, its constants, and,
recursively, of every compiled function, row operation, intrinsic and constant it refers to.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

from onebit.core.paths import cache_folder

_VERSIONS = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)


def options_text(options: dict[str, Any]) -> str:
    """Numba's options, the same text in every process.

    >>> print(options_text({"nogil": True, "fastmath": {"nsz", "arcp"}}))
    [('fastmath', "['arcp', 'nsz']"), ('nogil', 'True')]
    """
    return str(sorted((k, str(sorted(v) if isinstance(v, set) else v)) for k, v in options.items()))


def digest(function: Callable[..., Any], options: str = "") -> str:
    """A hash of all the code that compiling `function` would compile.

    >>> def f(x): return x + 1
    >>> def g(x): return x + 2
    >>> digest(f) == digest(f), digest(f) == digest(g)
    (True, False)
    """
    sha = hashlib.sha256(f"{_VERSIONS}{options}".encode())
    queue: list[Callable[..., Any]] = [function]
    seen: set[int] = set()
    while queue:
        current = queue.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        sha.update(_code_text(current.__code__, current.__doc__).encode())
        for name, value in _references(current):
            text, functions = _describe(name, value)
            sha.update(f"{name}={text};".encode())
            queue.extend(functions)
    return sha.hexdigest()


def _code_text(code: CodeType, doc: str | None) -> str:
    consts = [_code_text(c, None) if isinstance(c, CodeType) else repr(c) for c in code.co_consts if c != doc]
    return f"{code.co_name}{code.co_varnames}{code.co_names}{code.co_code.hex()}{consts}"


def _globals(code: CodeType, scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The globals that the code reads, by name; of a module, what is taken from it (`ops.weights.add`)."""
    name = ""
    value = None
    for step in dis.get_instructions(code):
        if isinstance(value, ModuleType) and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            name = f"{name}.{step.argval}"
            value = getattr(value, step.argval)
            continue
        # The name is complete: nothing more is taken from it.
        if name:
            yield name, value
        found = step.opname == "LOAD_GLOBAL" and step.argval in scope
        if step.opname == "LOAD_GLOBAL" and not found and not hasattr(builtins, step.argval):
            raise TypeError(f"a compiled function refers to {step.argval}, which is not there yet: define it before")
        name, value = (step.argval, scope[step.argval]) if found else ("", None)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _globals(const, scope)


def _references(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The globals and closure variables of a function, by name."""
    yield from _globals(function.__code__, getattr(function, "__globals__", {}))
    for name, cell in zip(function.__code__.co_freevars, getattr(function, "__closure__", None) or (), strict=True):
        yield name, cell.cell_contents


def _describe(name: str, value: Any) -> tuple[str, list[Callable[..., Any]]]:
    """What a referenced value adds to the digest: a text, and functions to look into."""
    if isinstance(value, Dispatcher):
        return options_text(value.targetoptions), [value.py_func]
    if isinstance(value, _Intrinsic):
        return inspect.getsource(inspect.getmodule(value._defn) or value._defn), []
    if isinstance(value, FunctionType):
        variants = getattr(value, "variants", {})
        return options_text(getattr(value, "options", {})), [value, *variants.values()]
    if isinstance(value, ModuleType | BuiltinFunctionType | np.ufunc):
        return value.__name__, []
    if isinstance(value, type):
        return f"{value.__qualname__}{getattr(value, '_fields', ())}", []
    if isinstance(value, bool | int | float | str | np.generic | tuple | frozenset | type(None)):
        return repr(value), []
    raise TypeError(f"a compiled function refers to {name} = {value!r}, which has no stable content to key a cache by")


class _Location:
    """Where the files of one entry point live; the part that Numba's cache asks for."""

    def __init__(self, stamp: str) -> None:
        self._stamp = stamp

    def ensure_cache_path(self) -> None:
        cache_folder().joinpath("compiled").mkdir(mode=0o700, parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(cache_folder() / "compiled")

    def get_source_stamp(self) -> str:
        return self._stamp


class _Files(CompileResultCacheImpl):  # type: ignore[misc]  # Numba is not typed
    def __init__(self, dispatcher: Dispatcher) -> None:
        function = dispatcher.py_func
        self._stamp = digest(function, options_text(dispatcher.targetoptions))
        self._locator = _Location(self._stamp)
        self._filename_base = f"{function.__module__.removeprefix('onebit.')}.{function.__name__}-{self._stamp[:32]}"


class EntryPointCache(FunctionCache):  # type: ignore[misc]  # Numba is not typed
    """Numba's function cache, keyed by `digest`. A folder that cannot be written means no cache, no error.

    Every signature, on every kind of processor, has files of its own. (Numba numbers the signatures of a
    function in one index, and two processes that compile at the same time can give one number to two.)
    """

    _impl_class = _Files

    def _use_files_of(self, sig: Any, codegen: Any) -> None:
        which = hashlib.sha256(f"{sig}{codegen.magic_tuple()}".encode()).hexdigest()[:16]
        name = f"{self._impl.filename_base}-{which}"
        self._cache_file = IndexDataCacheFile(self._cache_path, name, self._impl._stamp)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        self._use_files_of(sig, target_context.codegen())
        return super()._load_overload(sig, target_context)

    def _save_overload(self, sig: Any, data: Any) -> None:
        self._use_files_of(sig, data.codegen)
        super()._save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return sig, codegen.magic_tuple(), self._impl._stamp

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for one signature, or None: a file that is missing or damaged means compiling again."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged file can fail in any way while it is unpickled
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the machine code for one signature."""
        try:
            super().save_overload(sig, data)
        except OSError:
            self.disable()
        except Exception:  # the index is damaged, or names types that have moved to another module since
            self._cache_file.flush()
            super().save_overload(sig, data)
