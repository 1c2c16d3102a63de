"""What a run will take, told before it is paid for: calls, tokens, money, hours.

Task 1 is counted from the prompts themselves. How long an investigation goes on nobody knows
beforehand: it is told for a usual number of turns and for the most there can be.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.core.investigation import HORIZON
from riskchainbench.core.record import Record
from riskchainbench.core.system import TextPart
from riskchainbench.investigation.ablations import Ablation, shown_codebook
from riskchainbench.models.provider.prices import Price, Tokens, load_prices
from riskchainbench.models.registry import is_model
from riskchainbench.pipeline.human import is_human, require_system
from riskchainbench.pipeline.judges import require_judge_name
from riskchainbench.pipeline.options import Options
from riskchainbench.restoration.prompts import build_request, image_instruction

USUAL_TURNS = 12
SECONDS_PER_CALL = 8.0

_CHARACTERS_PER_TOKEN = 1.6
_TOKENS_PER_IMAGE = 1300
_TOKENS_PER_STEP = 400
_TOKENS_PER_OBSERVATION = 1500
_TOKENS_PER_CONTROLS = 700
_INSTRUCTION_TOKENS = 400
_CONCLUSION_IMAGES = 8
_OUTPUT = {"restoration": 350, "investigation": 80, "conclusion": 450, "judging": 300}
_BROWSING_SECONDS = 1.0
_PERSON_SECONDS = {"restoration": 60.0, "investigation": 20.0, "conclusion": 90.0}


class StageEstimate(Record):
    """What one stage will take; `cost` is None where no price is known.

    A stage without calls may still take time: a built-in system's browsing.
    """

    stage: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    hours: float


class Estimate(Record):
    """What a run will take, for the usual number of turns and for the most."""

    system: str
    judge: str
    repeats: int
    currency: str
    usual: tuple[StageEstimate, ...]
    most: tuple[StageEstimate, ...]

    def lines(self) -> list[str]:
        """Return the estimate as lines for a person."""
        told = [f"{self.system}, judged by {self.judge}, {self.repeats} time(s); about:"]
        for title, stages in (("usual", self.usual), ("at most", self.most)):
            told += [f"{title}: {_told(stage, self.currency)}" for stage in stages]
            told.append(f"{title}: {_told(_total(stages), self.currency)}")
        return told


@dataclass(frozen=True)
class _Pace:
    price: Price | None
    at_once: int
    repeats: int

    def stage(
        self, name: str, calls: int, per_call: float, extra_seconds: float = 0.0
    ) -> StageEstimate:
        calls *= self.repeats
        tokens = Tokens(round(calls * per_call), calls * _OUTPUT[name])
        seconds = calls * (SECONDS_PER_CALL + extra_seconds) / self.at_once
        return StageEstimate(
            stage=name,
            calls=calls,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cost=None if self.price is None else round(self.price.cost(tokens), 2),
            hours=round(seconds / 3600, 2),
        )


def estimate(folder: Path, system: str, judge: str, options: Options, repeats: int) -> Estimate:
    """Return what evaluating `system` on the bundle in `folder` will take.

    Raises:
        InputError: there is no such bundle, system or judge.
    """
    require_system(system)
    require_judge_name(judge)
    bundle = open_bundle(folder)
    prices = load_prices(options.asking.prices)
    price = prices.of(system)
    return Estimate(
        system=system,
        judge=judge,
        repeats=repeats,
        currency=next((each.currency for each in (price, prices.of(judge)) if each), ""),
        usual=_stages(
            bundle, options, system, judge, price, prices.of(judge), repeats, USUAL_TURNS
        ),
        most=_stages(bundle, options, system, judge, price, prices.of(judge), repeats, HORIZON),
    )


def _stages(
    bundle: Bundle,
    options: Options,
    system: str,
    judge: str,
    price: Price | None,
    judge_price: Price | None,
    repeats: int,
    turns: int,
) -> tuple[StageEstimate, ...]:
    cases = len(bundle.investigation_tasks)
    left_out = options.ablations
    codebook = shown_codebook(bundle.codebook, left_out).render(options.language)
    fixed = len(codebook) / _CHARACTERS_PER_TOKEN + _INSTRUCTION_TOKENS
    image = 0 if Ablation.SCREENSHOT in left_out else _TOKENS_PER_IMAGE
    words = _TOKENS_PER_CONTROLS if Ablation.TEXT in left_out else _TOKENS_PER_OBSERVATION
    # Without interaction the first observation is the last, and nobody is asked what to do.
    asked_turns = 0 if Ablation.INTERACTION in left_out else turns
    seen = max(1, asked_turns)
    images = min(seen, _CONCLUSION_IMAGES)
    if is_human(system):
        stages = _person_stages(bundle, repeats, asked_turns)
    elif is_model(system):
        asked = _Pace(price, options.asking.pace.at_once, repeats)
        browsing = _Pace(price, options.workers, repeats)
        turn = fixed + image + words + _TOKENS_PER_STEP * (seen - 1) / 2
        record = fixed + seen * words + images * image
        stages = (
            asked.stage(
                "restoration", len(bundle.restoration_tasks), _restoration_tokens(bundle, options)
            ),
            browsing.stage("investigation", cases * asked_turns, turn, _BROWSING_SECONDS),
            asked.stage("conclusion", cases, record),
        )
    else:
        stages = (_browsed(cases * seen * repeats, options.workers),)
    if is_model(judge):
        # The judge sees what was recorded, whatever the agent was not given.
        package = len(bundle.codebook.render(options.language)) / _CHARACTERS_PER_TOKEN
        package += _INSTRUCTION_TOKENS + seen * _TOKENS_PER_OBSERVATION
        judged = _Pace(judge_price, options.judging.pace.at_once, repeats)
        stages += (judged.stage("judging", cases, package + images * _TOKENS_PER_IMAGE),)
    return stages


def _restoration_tokens(bundle: Bundle, options: Options) -> float:
    """Return how many tokens a question of Task 1 has on average."""
    if options.image_input:
        instructed = len(image_instruction(options.language)) / _CHARACTERS_PER_TOKEN
        return instructed + _TOKENS_PER_IMAGE
    tasks = bundle.restoration_tasks.values()
    written = sum(
        len(part.text)
        for task in tasks
        for message in build_request(task, options.language).prompt
        for part in message.parts
        if isinstance(part, TextPart)
    )
    return written / _CHARACTERS_PER_TOKEN / max(1, len(tasks))


def _browsed(steps: int, workers: int) -> StageEstimate:
    """Return what a system takes that calls nobody: the browser's time."""
    hours = steps * _BROWSING_SECONDS / workers / 3600
    return StageEstimate(
        stage="investigation",
        calls=0,
        input_tokens=0,
        output_tokens=0,
        cost=0.0,
        hours=round(hours, 2),
    )


def _person_stages(bundle: Bundle, repeats: int, turns: int) -> tuple[StageEstimate, ...]:
    """Return how many questions a person will be asked, and for how long at a usual pace."""
    cases = len(bundle.investigation_tasks)
    asked = {
        "restoration": len(bundle.restoration_tasks),
        "investigation": cases * turns,
        "conclusion": cases,
    }
    return tuple(
        StageEstimate(
            stage=stage,
            calls=calls * repeats,
            input_tokens=0,
            output_tokens=0,
            cost=0.0,
            hours=round(calls * repeats * _PERSON_SECONDS[stage] / 3600, 2),
        )
        for stage, calls in asked.items()
    )


def _total(stages: tuple[StageEstimate, ...]) -> StageEstimate:
    costs = [stage.cost for stage in stages if stage.cost is not None]
    return StageEstimate(
        stage="in all",
        calls=sum(stage.calls for stage in stages),
        input_tokens=sum(stage.input_tokens for stage in stages),
        output_tokens=sum(stage.output_tokens for stage in stages),
        cost=round(sum(costs), 2) if len(costs) == len(stages) else None,
        hours=round(sum(stage.hours for stage in stages), 2),
    )


def _told(stage: StageEstimate, currency: str) -> str:
    cost = "cost unknown" if stage.cost is None else f"{stage.cost:.2f} {currency}".rstrip()
    tokens = f"{stage.input_tokens} tokens in, {stage.output_tokens} out"
    return f"{stage.stage}: {stage.calls} calls, {tokens}, {cost}, {stage.hours:.2f} hours"
