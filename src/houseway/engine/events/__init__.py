"""What happened at a table: events are past participles, and each names the clause it rests on.

State is nothing but its events folded. What nobody may see yet stands in fields named `sealed`, so a
record can be shown without them.
"""

from houseway.engine.events.base import Cards as Cards
from houseway.engine.events.base import Event as Event
from houseway.engine.events.cards import *
from houseway.engine.events.players import *
from houseway.engine.events.settlement import *
from houseway.engine.events.tables import *
from houseway.engine.events.wrong import *
