/** The lines of a log between the beginning and the end of an output that is too long for it. */

/** Comes where the log's part of the output ends. @param program - writes the output */
export function endFollows(program: "agent" | "command"): string {
    return `[the output is too long: its end follows when the ${program} has ended]`;
}

/** Comes before the end of the output. @param leftOutBytes - how much is missing there */
export function aboutEnd(leftOutBytes: number): string {
    return leftOutBytes === 0 ? "[the end of the output]" : `[${leftOutBytes} bytes are left out before this]`;
}
