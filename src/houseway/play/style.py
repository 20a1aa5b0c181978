"""How the table looks: felt for playing, paper for reading, ink for controls."""

CSS = """
Screen { background: #0B100F; color: #F4EFE3; }
#top { height: 1; background: #111817; padding: 0 1; }
#room { height: 1fr; }
#felt { width: 1fr; background: #134437; padding: 0 1; align: center middle; }
#board { height: 5; }
#voice { height: 2; content-align: center middle; text-align: center; text-style: italic; color: #F4EFE3; }
#pods { height: 4; }
.pod { width: 1fr; height: 4; padding: 0 1 0 0; }
.pod.turn { background: #1B5646; }
#place { height: 7; background: #0B2F27; padding: 0 1; }
#name { height: 1; }
#own { width: auto; height: 6; min-width: 12; }
#spots { width: 1fr; height: 6; padding: 0 0 0 2; }
.spot { height: 3; }
.spot.selected { background: #1B5646; }
#lines { width: 1fr; height: 6; padding: 0 0 0 1; }
#side { width: 44; background: #111817; display: none; padding: 0 1; }
.wide #side { display: block; }
#log { height: 1fr; scrollbar-size: 1 1; scrollbar-color: #2E3B38; scrollbar-background: #111817; }
#pays { height: auto; max-height: 50%; color: #C6CEC8; }
.tall #board { height: 6; padding: 1 0 0 0; }
.tall #voice { height: 4; }
.tall #pods { height: 5; }
.tall #place { height: 9; padding: 1; }
#notice { height: 1; padding: 0 1; color: #FFB7A5; }
.long #notice { height: 2; }
.long #place { height: 6; }
.long #own, .long #spots, .long #lines { height: 5; }
.tall.long #place { height: 8; }
#small { display: none; height: 1fr; content-align: center middle; }
.small #small { display: block; }
.small #top, .small #room, .small #notice, .small #bar, .small #foot { display: none; }
#bar { height: 3; background: #111817; }
.choice { width: auto; height: 3; border: round #6F7F79; padding: 0 1; margin: 0 0 0 1;
  background: #1D2725; }
.choice:hover { border: round #FFE6AE; }
#waits { width: 1fr; height: 3; content-align: left middle; padding: 0 1; color: #C6CEC8; }
#typed { width: 40; height: 3; display: none; }
#foot { height: 1; background: #0B100F; color: #98A59F; padding: 0 1; }
Sheet, History, Steps { align: center middle; background: #0B100F 60%; }
#sheet { width: 80; max-width: 100%; height: auto; max-height: 96%; background: #F7F1E3; color: #221F19;
  scrollbar-size: 1 1; border: round #D9CDB2; padding: 0 1; }
#sheet-head { text-style: bold; color: #7A5A17; padding: 0 0 1 0; }
#sheet.dark { background: #111817; color: #F4EFE3; border: round #6F7F79; }
#sheet.dark #sheet-head { color: #E2C07A; }
#rounds { height: auto; max-height: 9; background: #111817; border: none; }
#steps { height: auto; max-height: 18; background: #111817; border: none; }
#round { height: auto; padding: 1 0 0 0; }
#sheet { border-subtitle-color: #5A5242; }
#sheet.dark { border-subtitle-color: #98A59F; }
OptionList > .option-list--option-highlighted, OptionList:focus > .option-list--option-highlighted {
  background: #1B5646; color: #F4EFE3; text-style: bold; }
#picker { width: 78; height: auto; margin: 4 1; background: #111817; border: round #6F7F79; padding: 1 2; }
#books { background: #111817; border: none; height: auto; margin: 1 0; }
"""
