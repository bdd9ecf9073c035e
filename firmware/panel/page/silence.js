// Notices that the kit is silent. It says something every 2.4 s (SIGN_S), so a page that hears nothing is not connected,
// though its browser may take minutes to find out. Written for iOS 12.2 and Chrome 63 (docs/decisions/0015).

const TICK_MS = 2500;
const MOST = 3; // ticks, not time: where a page sleeps or its timers are slow, so does what it hears
const ANSWER_MS = 12000; // the kit answers a request within 10 s (LIFE_S), if only that it is busy

// Calls `onSilence` once nothing was heard for so long. Returns what is to be called whenever something was.
export function listen(onSilence) {
  let ticks = 0;
  setInterval(() => {
    if (++ticks === MOST) onSilence();
  }, TICK_MS);
  return () => {
    ticks = 0;
  };
}

// As fetch(), but it fails where no answer comes.
export function ask(path, options) {
  return Promise.race([fetch(path, options), new Promise((_, fail) => setTimeout(fail, ANSWER_MS))]);
}
