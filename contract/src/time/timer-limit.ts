/** The longest wait of a timer of Node.js, which counts milliseconds in 31 bits. A longer one ends at once. */
export const maxTimerSeconds = Math.floor((2 ** 31 - 1) / 1000);
