// The custom elements that every room uses.

import "./card.js";
import "./circle.js";
import "./clause.js";
import "./drawer.js";
import "./meter.js";
import "./money.js";
import "./notice.js";
import "./script.js";
