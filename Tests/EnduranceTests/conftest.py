import sys
from pathlib import Path


for name in ("BrowserTests", "TestSupport", "EnduranceTests"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / name))
