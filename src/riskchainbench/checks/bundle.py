"""Audits and proofs of a frozen bundle, made on what stands on the disk and not on its origin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.proofs import (
    DESIGN_PROOFS,
    Designed,
    Finding,
    prove_set,
    prove_website,
)
from riskchainbench.checks.rhetoric import check_rhetoric
from riskchainbench.core.errors import InputError
from riskchainbench.messages.audit import audit, check_separation
from riskchainbench.messages.frozen import reassemble
from riskchainbench.websites.synthesis import realizations


def check_messages(bundle: Bundle, gold: Gold) -> None:
    """Walk every trace back to the reference text and run every audit of the messages again.

    Raises:
        TraceError: a trace does not lead back.
        InputError: naming the sample and what is wrong with it.
    """
    sessions = reassemble(bundle.restoration_tasks, gold.samples, gold.traces)
    audit(sessions)
    check_separation(tuple(bundle.restoration_tasks.values()), sessions)
    check_rhetoric(gold)
    for sample_id, sample in gold.samples.items():
        if gold.resolver.get(sample.entry) != sample.case_id:
            raise InputError(f"{sample_id}: its entry does not resolve to its website")


def designed_websites(bundle: Bundle, gold: Gold) -> Iterator[Designed]:
    """Yield each website of the bundle with what its gold claims of it."""
    for case_id, stratum in gold.strata.items():
        label = gold.labels.get(case_id)
        yield Designed(
            case_id=case_id,
            loaded=bundle.website(case_id),
            decision=label.decision if label else None,
            violation_type=label.violation_type if label else "",
            components=gold.components[case_id],
            captured=stratum.captured,
        )


def website_findings(
    bundle: Bundle, gold: Gold, cases: Iterable[str] | None = None
) -> list[Finding]:
    """Return every proof that fails, over the given cases and the sets that lie within them.

    Where people gave the labels, what follows from the design alone is not held against them.
    """
    wanted = set(gold.strata if cases is None else cases)
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
    if gold.label_source.designed:
        return findings
    return [finding for finding in findings if finding.proof not in DESIGN_PROOFS]


def check_entries(bundle: Bundle, gold: Gold) -> None:
    """Check that no website names an entry, which would link it to a message.

    Raises:
        InputError: naming the website, the file and the entry.
    """
    for case_id, loaded in bundle.websites().items():
        for name, data in sorted(loaded.files.items()):
            text = data.decode("utf-8", "replace")
            # Names under .test are rare; entries are looked for only where there is one.
            entry = next((e for e in gold.resolver if e in text), "") if ".test" in text else ""
            if entry:
                raise InputError(f"{case_id}: {name} holds the entry {entry}")


def check_websites(bundle: Bundle, gold: Gold) -> None:
    """Prove every website and contrast set of the bundle.

    Raises:
        InputError: naming the website, the proof and why it fails.
    """
    for finding in website_findings(bundle, gold):
        raise InputError(f"{finding.where}: {finding.proof}: {finding.detail}")
