"""Audits and proofs of a frozen bundle, made on what stands on the disk and not on its origin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.proofs import Designed, Finding, prove_set, prove_website
from riskchainbench.core.errors import InputError
from riskchainbench.core.restoration import Message
from riskchainbench.messages.audit import audit_variant
from riskchainbench.messages.trace import revert
from riskchainbench.websites.synthesis import realizations


def check_messages(bundle: Bundle, gold: Gold) -> None:
    """Walk every trace back to the reference text and audit every variant.

    Raises:
        TraceError: a trace does not lead back.
        InputError: naming the sample and what is wrong with it.
    """
    for sample_id, task in bundle.restoration_tasks.items():
        sample = gold.samples[sample_id]
        source = revert(task.messages, gold.traces[sample_id])
        if not sample.rearranged and _texts(source) != sample.messages:
            raise InputError(f"{sample_id}: its trace leads to another text than its reference")
        audit_variant(source, task.messages, gold.traces[sample_id], task.platform, sample.entry)
        if gold.resolver.get(sample.entry) != sample.case_id:
            raise InputError(f"{sample_id}: its entry does not resolve to its website")


def _texts(messages: Iterable[Message]) -> dict[str, str]:
    return {message.message_id: message.content for message in messages}


def designed_websites(bundle: Bundle, gold: Gold) -> Iterator[Designed]:
    """Yield each website of the bundle with what its gold claims of it."""
    for case_id, label in gold.labels.items():
        yield Designed(
            case_id=case_id,
            loaded=bundle.website(case_id),
            decision=label.decision,
            violation_type=label.violation_type,
            components=gold.components[case_id],
        )


def website_findings(
    bundle: Bundle, gold: Gold, cases: Iterable[str] | None = None
) -> list[Finding]:
    """Return every proof that fails, over the given cases and the sets that lie within them."""
    wanted = set(gold.labels if cases is None else cases)
    words = realizations(bundle.codebook)
    entries = sorted(gold.resolver)
    sets: dict[str, list[Designed]] = defaultdict(list)
    findings: list[Finding] = []
    for website in designed_websites(bundle, gold):
        if website.case_id in wanted:
            findings += prove_website(website, bundle.codebook, words, entries=entries)
            sets[gold.strata[website.case_id].contrast_set].append(website)
    for _, members in sorted(sets.items()):
        findings += prove_set(members)
    return findings


def check_websites(bundle: Bundle, gold: Gold) -> None:
    """Prove every website and contrast set of the bundle.

    Raises:
        InputError: naming the website, the proof and why it fails.
    """
    for finding in website_findings(bundle, gold):
        raise InputError(f"{finding.where}: {finding.proof}: {finding.detail}")
