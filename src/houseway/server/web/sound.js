// Quiet sounds of cards and chips, generated here. They are off unless the setting is on. No sound tells who won or lost.

import { setting } from "./settings.js";

/** A sound: how long it is in seconds, its pitch in Hz, how narrow its band is, and how loud it is. */
/** @typedef {{ length: number, pitch: number, band: number, loud: number }} Shape */

/** @type {Record<"card" | "chip", Shape>} */
const SHAPES = {
  card: { length: 0.07, pitch: 2600, band: 0.7, loud: 0.05 },
  chip: { length: 0.05, pitch: 4200, band: 9, loud: 0.16 },
};
/** Seconds between two sounds that start together. */
const APART = 0.06;
/** The most sounds that wait for their turn; further ones are left out. */
const MOST = 6;

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;
let next = 0;

/** Return the audio context; a browser allows one only after a press on the page. */
function opened() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let n = 0; n < samples.length; n += 1) samples[n] = 2 * Math.random() - 1;
  }
  return context;
}

/**
 * Play the sound of a card or a chip, if sounds are on and the page can be seen.
 *
 * @param {"card" | "chip"} kind
 */
export function play(kind) {
  if (setting("sound") !== "on" || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  const audio = opened();
  const start = Math.max(audio.currentTime, next);
  if (start > audio.currentTime + MOST * APART) return;
  next = start + APART;
  const { length, pitch, band, loud } = SHAPES[kind];
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: band });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + length / 8);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(start, Math.random() / 8, length);
}
