/** Longer words at the beginning of a line are not a time. */
const maxTimeBytes = 40;

/**
 * Finds the new output in a log that is read several times, each line of which begins with its time. Positions would
 * not do: Kubernetes removes the beginning of a log above 10 MB.
 */
export class TimedLog {
    #lastTime = "";
    /** How many bytes of lines with that time were returned. */
    #known = 0;

    /** Begins to read the log again. @returns takes the next part of the log, and returns the new output in it */
    begin(): (chunk: Buffer) => Buffer {
        let start: Buffer = Buffer.alloc(0);
        /** The time of this line, or of the one before. */
        let time = "";
        let isLineStart = true;
        /** How many bytes of lines with the last time were read this time. */
        let at = 0;
        /** After what is known, every line is new, also if the node's clock was set back. */
        let isPastKnown = this.#lastTime === "";
        const newPartOf = (part: Buffer, ofTime: string): Buffer => {
            if (!isPastKnown && ofTime < this.#lastTime) {
                return part.subarray(part.length);
            }
            if (ofTime !== this.#lastTime) {
                [this.#lastTime, this.#known, at] = [ofTime, 0, 0];
            }
            const added = part.subarray(Math.max(0, this.#known - at));
            at += part.length;
            this.#known = Math.max(this.#known, at);
            isPastKnown ||= added.length > 0;
            return added;
        };
        return (chunk) => {
            const added: Buffer[] = [];
            let rest = Buffer.concat([start, chunk]);
            start = Buffer.alloc(0);
            while (rest.length > 0) {
                if (isLineStart) {
                    const end = rest.indexOf(" ");
                    if (end === -1 && rest.length < maxTimeBytes && !rest.includes("\n")) {
                        start = rest;
                        break;
                    }
                    const found = timeIn(rest.subarray(0, Math.min(Math.max(0, end), maxTimeBytes)));
                    rest = rest.subarray(found === undefined ? 0 : end + 1);
                    // The kubelet adds lines without a time about its own errors.
                    time = found ?? time;
                    isLineStart = false;
                }
                const newline = rest.indexOf("\n");
                const part = newline === -1 ? rest : rest.subarray(0, newline + 1);
                added.push(newPartOf(part, time));
                rest = rest.subarray(part.length);
                isLineStart = newline !== -1;
            }
            return Buffer.concat(added);
        };
    }
}

function timeIn(word: Buffer): string | undefined {
    const text = word.toString("latin1");
    return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : undefined;
}
