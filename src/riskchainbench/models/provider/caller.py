"""Asking one model one question: the only layer that retries, and the only one that waits.

A question ends in a reply, in a `SystemFailureError` that leaves its unit open, or in a
`ProviderStopError` that ends the run because no further call could do better.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace

from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.seeds import stream
from riskchainbench.core.system import Finish, ImageLoader, Prompt, Reply, text_message
from riskchainbench.models.provider.budget import Account
from riskchainbench.models.provider.cache import ReplyCache
from riskchainbench.models.provider.client import InspectClient, Output, ReplySchema
from riskchainbench.models.provider.errors import Meaning, ProviderStopError, Verdict
from riskchainbench.models.provider.pace import Clock, Pacer, Sleep
from riskchainbench.models.provider.sending import Sent, image_limits, sent_prompt
from riskchainbench.models.provider.settings import ModelSettings, Pace
from riskchainbench.models.provider.waiting import Waiting
from riskchainbench.models.trouble import report_trouble

Connect = Callable[[], InspectClient]

_LOG = logging.getLogger(__name__)
_PLAIN: Prompt = (
    text_message("system", "This is a test of the connection. Answer with one JSON object."),
    text_message("user", "{}"),
)
_TOLD_FROM = 10.0
"""Seconds from which on a pause is told to those who see no progress line."""


class ModelCaller:
    """One model, asked at the provider's pace.

    `proven` says that the provider answered this run before; a rejection may then be the
    request's own. With `doubts`, one that names no reason in the request is brought back, as
    doubtful, only if a plain question is answered at that time; where that one is rejected too,
    or `give_up_after` requests of different units in a row are, the run stops. With `cache`, a
    question that was answered before is not asked again.
    A caller may serve several event loops one after the other.
    """

    def __init__(
        self,
        name: str,
        settings: ModelSettings,
        pace: Pace | None = None,
        *,
        proven: bool = False,
        doubts: bool = True,
        account: Account | None = None,
        cache: ReplyCache | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        connect: Connect | None = None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.waiting = Waiting()
        self._pace = pace or Pace()
        self._proven = proven
        self._doubts = doubts
        self._account = account
        self._cache = cache
        self._clock = clock
        self._sleep = sleep
        self._connect = connect or self._new_client
        self._limits = image_limits(name, settings)
        self._unanswered = 0
        self._rejected_in_a_row: set[str] = set()
        self._doubted: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: InspectClient
        self._pacer: Pacer

    def _new_client(self) -> InspectClient:
        return InspectClient(self.name, self.settings, self._pace.at_once)

    def _attach(self) -> None:
        """Make client and pacer anew for the running event loop."""
        loop = asyncio.get_running_loop()
        if loop is self._loop:
            return
        self._client = self._connect()
        pace = self._pace
        self._pacer = Pacer(pace.at_once, pace.tokens_per_minute, self._clock, self._sleep)
        self._loop = loop

    async def call(
        self,
        unit_id: str,
        prompt: Prompt,
        images: ImageLoader | None,
        schema: ReplySchema | None,
        stage: Stage,
    ) -> Reply:
        """Answer one question.

        Args:
            unit_id: seeds the jitter of pauses; it is never sent.
            prompt: what is sent.
            images: loads the images that the prompt names.
            schema: the form the reply is to have, where the settings ask for one.
            stage: the stage that asks.

        Raises:
            SystemFailureError: the provider failed at every attempt; the unit stays open.
            ProviderStopError: no call of this run can succeed, or too many failed in a row.
        """
        sent = sent_prompt(prompt, images, self._limits)
        if self._cache is None:
            return await self._asked(unit_id, sent, schema, stage)
        key = self._cache.key(self.name, self.settings, sent, schema)
        reply = self._cache.get(key)
        if reply is None:
            reply = await self._asked(unit_id, sent, schema, stage)
            self._cache.put(key, reply)
        return reply

    async def _asked(
        self, unit_id: str, sent: Sent, schema: ReplySchema | None, stage: Stage
    ) -> Reply:
        self._attach()
        if self._account is not None:
            self._account.budget.require_room()
        started = self._clock()
        found, attempts = await self._settled(unit_id, sent, schema, stage)
        if isinstance(found, Output):
            if found.finish is not Finish.REJECTED:
                self._rejected_in_a_row.clear()
            return self._replied(found, sent, started, attempts)
        doubtful = self._doubts and not found.own
        if doubtful:
            await self._require_right_set_up(found, unit_id, schema, stage)
        rejection = Output(found.detail, Finish.REJECTED, 0, 0, 0, 0)
        return replace(self._replied(rejection, sent, started, attempts), doubtful=doubtful)

    async def _settled(
        self, unit_id: str, sent: Sent, schema: ReplySchema | None, stage: Stage
    ) -> tuple[Output | Verdict, int]:
        """Return the answer or the rejection, and the number of attempts it took."""
        verdict = Verdict(Meaning.RETRY, "never asked")
        for attempt in range(1, self._pace.attempts + 1):
            found = await self._attempt(sent, schema)
            if isinstance(found, Output):
                return found, attempt
            verdict = found
            if verdict.meaning is Meaning.STOP:
                raise ProviderStopError(f"{self.name}: {verdict.detail}")
            if verdict.meaning is Meaning.REJECTED:
                return verdict, attempt
            report_trouble(_failure(verdict, stage))
            if attempt < self._pace.attempts:
                await self._pause(verdict, attempt, unit_id)
        self._unanswered += 1
        if self._unanswered >= self._pace.give_up_after:
            raise ProviderStopError(
                f"{self.name}: {self._unanswered} questions in a row went unanswered after "
                f"{self._pace.attempts} attempts each ({verdict.detail}); what is finished is "
                "kept, and the same command goes on"
            )
        raise SystemFailureError(_failure(verdict, stage), exhausted=True)

    async def _require_right_set_up(
        self, verdict: Verdict, unit_id: str, schema: ReplySchema | None, stage: Stage
    ) -> None:
        """Check that a rejection without a reason need not lie in the set-up.

        Raises:
            ProviderStopError: the provider rejects a plain question, too, or too many units in
                a row, each counted the first time.
        """
        plain = sent_prompt(_PLAIN, None, self._limits)
        found, _ = await self._settled(unit_id, plain, schema, stage)
        if isinstance(found, Verdict):
            raise ProviderStopError(
                f"{self.name}: the provider rejects even a plain question ({found.detail}); "
                "what is finished is kept, and the same command goes on"
            )
        if self._account is not None:
            self._account.spend(found)
        if unit_id not in self._doubted:
            self._rejected_in_a_row.add(unit_id)
        self._doubted.add(unit_id)
        if len(self._rejected_in_a_row) >= self._pace.give_up_after:
            raise ProviderStopError(
                f"{self.name}: the requests of {len(self._rejected_in_a_row)} units in a row were "
                f"rejected ({verdict.detail}); they stay open, and the same command goes on; if "
                "the requests are at fault, raise --set give_up_after"
            )

    async def _attempt(self, sent: Sent, schema: ReplySchema | None) -> Output | Verdict:
        async with self._pacer.slot(sent.tokens):
            self.waiting.calls += 1
            try:
                structured = self.settings.structured
                call = self._client.generate(sent.messages, structured, schema)
                return await asyncio.wait_for(call, self._pace.attempt_seconds)
            except TimeoutError:
                limit = f"no answer within {self._pace.attempt_seconds:g} seconds"
                return Verdict(Meaning.RETRY, limit)
            except Exception as error:
                return self._client.explain(error, proven=self._proven)
            finally:
                self.waiting.calls -= 1

    async def _pause(self, verdict: Verdict, attempt: int, unit_id: str) -> None:
        pace = self._pace
        seconds = pace.first_pause * 2.0 ** (attempt - 1)
        seconds *= 0.75 + 0.5 * stream(0, "pause", unit_id, attempt).random()
        if verdict.retry_after is not None:
            seconds = max(verdict.retry_after, min(seconds, pace.first_pause))
        seconds = min(seconds, pace.longest_pause)
        if verdict.status == 429:
            self._pacer.hold(seconds)
        self.waiting.pausing(verdict.detail, seconds)
        if seconds >= _TOLD_FROM:
            _LOG.warning("%s: waiting %.0f s: %s", self.name, seconds, verdict.detail)
        try:
            await self._sleep(seconds)
        finally:
            self.waiting.resumed()

    def _replied(self, output: Output, sent: Sent, started: float, attempt: int) -> Reply:
        report_trouble(None)
        self._proven = True
        self._unanswered = 0
        reply = Reply(
            text=output.text,
            finish=output.finish,
            input_tokens=output.input_tokens,
            output_tokens=output.output_tokens,
            provider_seconds=round(self._clock() - started, 3),
            cached_tokens=output.cached_tokens,
            reasoning_tokens=output.reasoning_tokens,
            attempts=attempt,
            images_scaled=sent.scaled,
            images_left_out=sent.left_out,
        )
        if self._account is not None:
            self._account.spend(reply)
        return reply


def _failure(verdict: Verdict, stage: Stage) -> Failure:
    return Failure(failure_class=FailureClass.PROVIDER_ERROR, stage=stage, detail=verdict.detail)
