"""What happened at a table: events are past participles, and each names the clause it rests on.

State is nothing but its events folded. What nobody may see yet stands in fields named `sealed`, so a
record can be shown without them.
"""

from houseway.engine.events.card_events import *
from houseway.engine.events.event import Cards as Cards
from houseway.engine.events.event import Event as Event
from houseway.engine.events.irregularity_events import *
from houseway.engine.events.player_events import *
from houseway.engine.events.settlement_events import *
from houseway.engine.events.table_events import *
