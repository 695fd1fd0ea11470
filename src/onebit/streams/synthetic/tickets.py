"""Support tickets as raw cases: words that teams share, customers, products, amounts with gaps, days."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np

from onebit.core.checks import check_number, check_whole
from onebit.core.seeds import bit_generator, check_seed
from onebit.streams.arrays import ArrayStream, from_arrays

_MOST = 10_000_000

_OPENINGS = ("hello", "hi there", "good morning", "dear team", "please help", "quick question", "urgent", "as I wrote")
_ENDINGS = ("thank you", "please advise", "this is the second time", "I need it this week", "what now?", "regards", "")


class Team(NamedTuple):
    """What the tickets of a team say, also of the new product, and their usual product, amount and days."""

    says: tuple[str, ...]
    new: tuple[str, ...]
    product: str
    amount: float
    weekends: float


_TEAMS = {
    "accounts": Team(
        ("cannot log in", "reset my password", "change the email address", "delete my account", "my account is locked",
         "add a seat for a colleague", "the login code never comes", "who is the owner"),
        ("the pin is blocked", "verify my terminal account", "register the second reader"),
        "cloud", 2.0, 0.3,
    ),
    "billing": Team(
        ("charged twice this month", "the invoice is wrong", "update my card", "vat number on the invoice",
         "send me the receipt", "why was my card charged", "the price on the bill went up", "cancel the plan"),
        ("payout is late", "the fee of the terminal is wrong", "two fees for one payout"),
        "desk", 4.5, 0.3,
    ),
    "refunds": Team(
        ("money back please", "I want a refund", "return the order", "it came broken", "charged twice for the order",
         "sent it back weeks ago", "cancel the order", "the wrong size came"),
        ("a chargeback is open", "dispute this payment", "the customer wants the payment back"),
        "shop", 4.0, 0.6,
    ),
    "sales": Team(
        ("a quote for fifty seats", "is there a discount", "upgrade the plan", "how long is the trial",
         "the price for a team", "we want to add seats", "a call about the contract", "what does the business plan do"),
        ("the rate for card payments", "a contract for readers", "the price of a terminal"),
        "desk", 6.0, 0.05,
    ),
    "shipping": Team(
        ("where is my order", "the parcel is late", "change the address", "the tracking code does not work",
         "the courier never came", "it came to the wrong address", "the box was open", "sent it back weeks ago"),
        ("the reader never came", "the box with the terminal is late", "no tracking for the reader"),
        "shop", 3.5, 0.6,
    ),
    "technical": Team(
        ("the app crashes", "sync does not work", "error after the update", "the screen stays white",
         "it is slow since monday", "the login page shows an error", "export does not work", "the update never ends"),
        ("the terminal times out", "the reader does not connect", "error 51 when the card is in"),
        "app", 1.5, 0.3,
    ),
}  # fmt: skip

NEW_PRODUCT = "pay"


def tickets(rounds: int = 5_000, seed: int = 0, launch: int | None = None, strays: float = 0.2) -> ArrayStream:
    """Tickets as raw cases, each with the team that it is for.

    A ticket has a subject (two things that its sender says, among words that say nothing), a customer who writes to one
    team more often than to others, a product, an amount where there is one, and a day. `strays` is how often a thing is
    said that belongs elsewhere; and some things two teams hear. From ticket `launch` on, half of the tickets are about
    a product that nobody has seen before, in words of its own.

    >>> stream = tickets(1_000)
    >>> for name, value in stream.X[0].items():
    ...     print(f"{name}: {value}")
    subject: as I wrote sync not does not work what now?
    customer: c401
    product: desk
    amount: 3.53
    sent: 2026-03-12
    >>> str(stream.y[0])
    'technical'
    """
    check_whole("rounds", rounds, low=6, high=_MOST)
    check_number("strays", strays, low=0.0, high=1.0)
    if launch is not None:
        check_whole("launch", launch, low=0, high=_MOST)
    rng = np.random.Generator(bit_generator(check_seed(seed), "stream"))
    teams = list(_TEAMS)
    cases, labels = list[dict[str, Any]](), list[str]()
    for i in range(rounds):
        team, case = _ticket(rng, teams, launch is not None and i >= launch, strays)
        labels.append(team)
        cases.append(case)
    return from_arrays(cases, np.array(labels, dtype=object), classes=teams, name="tickets")


def _ticket(rng: np.random.Generator, teams: list[str], launched: bool, strays: float) -> tuple[str, dict[str, Any]]:
    """One ticket, and the team that it is for."""
    customer = int(rng.integers(500))
    team = teams[customer % len(teams)] if rng.random() < 0.4 else _pick(rng, teams)
    new = launched and rng.random() < 0.5
    about = _TEAMS[team]
    parts = [_pick(rng, _OPENINGS)]
    for _ in range(2):
        speaker = _TEAMS[_pick(rng, teams)] if rng.random() < strays else about
        parts.append(_pick(rng, speaker.new if new else speaker.says))
    parts.append(_pick(rng, _ENDINGS))
    words = " ".join(parts).split()
    subject = " ".join(word for word in words if rng.random() < 0.85) or words[0]
    product = (
        NEW_PRODUCT if new else about.product if rng.random() < 0.4 else _pick(rng, ("app", "cloud", "desk", "shop"))
    )
    amount = round(float(rng.lognormal(about.amount, 1.0)), 2) if rng.random() < 0.6 else None
    day = date(2026, 1, 1) + timedelta(days=int(rng.integers(364)))
    if day.weekday() >= 5 and rng.random() > about.weekends:
        day -= timedelta(days=2 + int(rng.integers(3)))
    case = {"subject": subject, "customer": f"c{customer}", "product": product, "amount": amount, "sent": day}
    return team, case


def _pick(rng: np.random.Generator, options: Any) -> Any:
    return options[int(rng.integers(len(options)))]
