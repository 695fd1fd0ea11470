"""Learners inside River's pipelines, metrics and evaluations.

>>> import onebit
>>> from onebit.river import wrap
>>> model = wrap(onebit.Banditron(["cat", "dog"]))
>>> model.learn_one({"says": "woof"}, "dog")
>>> model.predict_one({"says": "woof", "name": None})
'dog'
"""

try:
    from onebit.river.classifier import BanditClassifier, wrap
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(f"onebit.river needs {missing.name}; pip install 'onebit[river]'") from missing

__all__ = ["BanditClassifier", "wrap"]
