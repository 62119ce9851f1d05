"""How long tests wait for what must come: so many times as long as it takes on a machine that has nothing else to do.

Only waiting grows with it. What is promised in time stays what it is, and so does how long a test looks at what must not come.
"""

from __future__ import annotations

import os

FACTOR = float(os.environ.get("TRACKME_TEST_PATIENCE") or 4)
"""1 where a test is to say soon that something does not come."""
