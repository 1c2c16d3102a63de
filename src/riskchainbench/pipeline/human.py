"""`--system human:NAME`: the page on which a person answers as a system does."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from riskchainbench.core.errors import InputError
from riskchainbench.models.registry import require_known
from riskchainbench.sandbox.server import SandboxServer

if TYPE_CHECKING:
    from riskchainbench.annotation.person_system import PersonSystem

PREFIX = "human"


def is_human(name: str) -> bool:
    """Tell whether `name` asks for a person."""
    return name == PREFIX or name.startswith(f"{PREFIX}:")


def person_of(name: str) -> str:
    """Return the person whom a system's name asks for.

    Raises:
        InputError: no person is named.
    """
    from riskchainbench.annotation.settings import NAME

    person = name.partition(":")[2]
    if re.match(NAME, person) is None:
        raise InputError(f"system {name!r}: name the person, as in {PREFIX}:ann")
    return person


def require_system(name: str) -> None:
    """Check that `name` is a person, a built-in system or a model.

    Raises:
        InputError: it is none of them.
    """
    if is_human(name):
        person_of(name)
    else:
        require_known(name)


def human_system(name: str) -> PersonSystem:
    """Serve the person's page on loopback, say where it is, and return the system.

    The page lives as long as the command.

    Raises:
        InputError: no person is named.
    """
    # Imported here, so that runs without a person do not load the workbench.
    from riskchainbench.annotation.person_system import PersonDesk, PersonSystem

    person = person_of(name)
    desk = PersonDesk()
    server = SandboxServer(desk)
    server.start()
    sys.stderr.write(f"{person} answers at http://localhost:{server.port}/{desk.secret}\n")
    return PersonSystem(person, desk)
