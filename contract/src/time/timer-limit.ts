/** The longest wait of a timer of Node.js, in whole seconds. It counts milliseconds in 31 bits; a longer one ends at once. */
export const maxTimerSeconds = Math.floor((2 ** 31 - 1) / 1000);
