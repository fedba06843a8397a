"""What the project says of itself: its documents, its rooms, its checks, and suites that run seldom."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "BrowserTests"))
