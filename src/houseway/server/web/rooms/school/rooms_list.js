// The rooms of the school (screens of the page), in the order in which the landing page lists them. A new room adds its line here.

/** @type {[path: string, title: string, text: string][]} */
export const ROOMS = [
  ["/school/practice", "Practice", "Practise single decisions, without playing whole rounds. See the exact value of each choice, and why."],
  ["/school/play", "Your play", "What your choices cost over many rounds, apart from luck, and where your leaks are. Import and export."],
  ["/school/review", "Round review", "Your last round, street by street: the exact value of each choice, and why."],
];
