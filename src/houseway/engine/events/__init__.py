"""Events: everything that happened at a table. Their names are past participles; each cites its clause.

Applying a table's events one after another (folding) gives its state. Hidden cards are in fields named
`sealed`, so that a record can be shown without them.
"""

from houseway.engine.events.card_events import *
from houseway.engine.events.event import Cards as Cards
from houseway.engine.events.event import Event as Event
from houseway.engine.events.irregularity_events import *
from houseway.engine.events.player_events import *
from houseway.engine.events.settlement_events import *
from houseway.engine.events.table_events import *
