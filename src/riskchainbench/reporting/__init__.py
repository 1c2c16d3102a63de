"""Tables, figures and the HTML report with its trajectory viewer.

The room turns scores and frozen runs into files for people. It scores nothing, opens no
gold and needs neither network nor display; `pipeline` hands it every value.
"""

from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report

__all__ = ["ReportRun", "write_report"]
