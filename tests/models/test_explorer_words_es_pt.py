"""The Spanish and Portuguese words of the rules explorer, on sentences made for this test."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import pytest
from explorer_site import CODEBOOK, one_page

from riskchainbench.core.codebook import Role
from riskchainbench.core.decisions import Decision
from riskchainbench.models.explorer.lexicon import LexiconFile, load_lexicon

LANGUAGES = ("es", "pt")

OFFERS = {
    ("FRAUD_DECEPTIVE_PROMISE", "FRAUD_RISKY_ACTION"): (
        "¡Felicidades! Has ganado el premio mayor. Pague la tasa de gestión antes de cobrar.",
        "Parabéns, você ganhou o grande sorteio! Pague a taxa de liberação para receber o valor.",
    ),
    ("PHISHING_IMITATION_OR_ABNORMAL_FLOW", "PHISHING_CREDENTIAL_REQUEST"): (
        "Su cuenta ha sido suspendida por un movimiento. Introduzca su contraseña y el PIN.",
        "A sua conta foi bloqueada por um erro. Digite sua senha e o código de segurança.",
    ),
    ("IMPERSONATION_CLAIMED_IDENTITY", "IMPERSONATION_USE_OF_IDENTITY"): (
        "Le habla el agente del banco. Envíe los fondos a la cuenta segura que le damos.",
        "Aqui é o inspetor da receita. Transfira o saldo para a conta segura.",
    ),
    ("INVESTMENT_RETURN_CLAIM", "INVESTMENT_DEPOSIT_OR_OBSTACLE"): (
        "Rentabilidad garantizada del 5 % diario. El depósito mínimo es de 200 monedas.",
        "Lucro garantido de 5 % ao dia. O depósito mínimo é de 200 moedas.",
    ),
    ("GAMBLING_BET_OFFER", "GAMBLING_STAKE_OR_PAYOUT"): (
        "Apuesta ahora en la ruleta en vivo. Apuesta mínima de 10, retiros al instante.",
        "Aposte no cassino ao vivo. Aposta mínima de 10 e saque na hora.",
    ),
    ("SUBSTANCE_OFFER", "SUBSTANCE_TRADE_PATH"): (
        "Vendemos pastillas controladas sin receta. Envío discreto, 10 pastillas por 50.",
        "Vendemos comprimidos controlados sem receita. Envio discreto, 10 comprimidos por 50.",
    ),
    ("ADULT_SOLICITATION", "ADULT_CONTACT_OR_PAYMENT"): (
        "Acompañantes disponibles esta noche. Reserva tu hotel y la hora con un depósito.",
        "Acompanhantes disponíveis hoje à noite. Reserve o hotel e a hora com um sinal.",
    ),
    ("MALWARE_INSTALL_REQUEST", "MALWARE_FALSE_SOURCE"): (
        "Su reproductor está desactualizado. Descargue ahora el instalador.",
        "Seu reprodutor está desatualizado. Baixe agora o instalador.",
    ),
    ("MALWARE_INSTALL_REQUEST", "MALWARE_UNFIT_PURPOSE", "MALWARE_PROTECTION_EVASION"): (
        "Instale la aplicación. La linterna necesita sus contactos. Desactive el antivirus.",
        "Instale o aplicativo. A lanterna precisa dos seus contatos. Desative o antivírus.",
    ),
    ("OTHER_PROHIBITED_FACT", "OTHER_POLICY_NAMED"): (
        "Vendemos diplomas falsos de toda clase. Van contra el reglamento de la escuela.",
        "Vendemos diplomas falsos de todo tipo. Vão contra o regulamento da escola.",
    ),
}
ADULT_SHOWN = ("Vídeos explícitos todas las noches.", "Vídeos explícitos todas as noites.")
CASES = [(parts, text) for parts, texts in OFFERS.items() for text in texts]
CASES += [(("ADULT_CONTENT_SHOWN",), text) for text in ADULT_SHOWN]

HONEST = (
    "Aquí no hay apuestas deportivas ni se cobran premios en efectivo.",
    "Nunca introduzca su contraseña ni el PIN en una página ajena.",
    "Nuestro personal nunca pide que envíe los fondos a una cuenta segura.",
    "No vendemos diplomas falsos.",
    "Aqui não há apostas esportivas nem prêmios em dinheiro.",
    "Nunca digite sua senha nem o código de segurança em outra página.",
    "Nossa equipe nunca pede que transfira o saldo para uma conta segura.",
    "Não vendemos diplomas falsos.",
)


def _file(language: str) -> LexiconFile:
    folder = resources.files("riskchainbench.models.explorer") / "data"
    text = (folder / f"{language}.toml").read_text(encoding="utf-8")
    return LexiconFile.model_validate(tomllib.loads(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_for_all_that_english_has(language: str) -> None:
    own, english = _file(language), _file("en")
    assert own.language == language
    for table in ("components", "fields", "roles", "exclusions"):
        assert getattr(own, table).keys() == getattr(english, table).keys()


@pytest.mark.parametrize(("components", "text"), CASES)
def test_an_offer_shows_its_components(components: tuple[str, ...], text: str) -> None:
    known = load_lexicon().components
    for component in components:
        assert any(pattern.search(text) for pattern in known[component]), component


@pytest.mark.parametrize(("components", "text"), CASES[:-2])
def test_an_offer_is_a_violation(components: tuple[str, ...], text: str) -> None:
    assert one_page(text).decision is Decision.VIOLATION


def test_every_component_of_a_violation_has_an_offer_here() -> None:
    named = {part for parts, _ in CASES for part in parts}
    assert named == set(CODEBOOK.with_role(Role.VIOLATION))


@pytest.mark.parametrize("text", HONEST)
def test_an_honest_denial_is_no_violation(text: str) -> None:
    assert one_page(text).decision is not Decision.VIOLATION


def test_no_pattern_of_a_language_matches_nothing_at_all() -> None:
    for language in LANGUAGES:
        file = _file(language)
        for patterns in (*file.components.values(), *file.roles.values()):
            assert not any(re.search(pattern, "") for pattern in patterns)
