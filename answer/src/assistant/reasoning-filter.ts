/**
 * The marks around reasoning in the text of models whose endpoint does not separate the two. A library reads the
 * elements `<think>` and `<mm:think>`, but not their ends without a beginning.
 */
const marks = [
    // gpt-oss: the answer is in the channel "final".
    { start: "<|channel|>analysis", end: "<|channel|>final<|message|>" },
    { start: "<|channel|>commentary", end: "<|channel|>final<|message|>" },
    { start: "<|channel>thought", end: "<channel|>" },
];
/** Marks that are not part of the answer. */
const otherMarks = ["<|channel|>final<|message|>", "<|start|>assistant", "<|message|>", "<|return|>", "<|end|>"];
const ends = ["</think>", "</mm:think>"];
/** Marks in inline code are text of the answer. */
const anyMark = markPattern([...marks.map(({ start }) => start), ...otherMarks, ...ends]);
const endMark = markPattern(ends);
const longestMark = 30;

/** A habit that a model shows in all of its answers. */
export interface ReasoningHabit {
    /**
     * Whether the model writes its reasoning before an end mark, without a mark at the beginning. Undefined until its
     * first text is complete.
     */
    isUnmarked?: boolean | undefined;
}

/**
 * Removes a model's reasoning from the text of one step. Sent text cannot be taken back, so if reasoning without a mark
 * at its beginning is known or possible, all text waits for the end of the reasoning, or of the step.
 */
export class ReasoningFilter {
    #held = "";
    /** The mark that ends the present reasoning. */
    #end: string | undefined;
    #isPastReasoning = false;

    constructor(private readonly habit: ReasoningHabit) {}

    /** @returns the text that readers may see now */
    push(text: string): string {
        this.#held += text;
        // Earlier text has been searched, but for the beginning of a mark.
        const mayWait = !endMark.test(this.#held.slice(-(text.length + longestMark)));
        return this.#take(false, mayWait);
    }

    /** Returns the rest of the text. @param isCut whether the model was stopped before it was done */
    finish(isCut = false): string {
        const text = this.#take(true);
        const isReasoning = !this.#isPastReasoning && this.habit.isUnmarked === true && isCut;
        if (text.trim() !== "") {
            this.habit.isUnmarked ??= false;
        }
        return isReasoning ? "" : text;
    }

    /** @param mayWait whether the text has no end of a reasoning without a beginning */
    #take(isComplete: boolean, mayWait = false): string {
        if (!this.#isPastReasoning && this.habit.isUnmarked !== false && this.#end === undefined) {
            const whole = this.#held.trimStart();
            if (marks.some(({ start }) => whole.startsWith(start))) {
                this.#isPastReasoning = true;
            } else if (mayWait) {
                return "";
            }
        }
        let shown = "";
        for (;;) {
            if (this.#end !== undefined) {
                const at = this.#held.indexOf(this.#end);
                if (at < 0) {
                    this.#held = isComplete ? "" : this.#held.slice(-longestMark);
                    return shown;
                }
                this.#held = this.#held.slice(at + this.#end.length);
                this.#end = undefined;
                this.#isPastReasoning = true;
            }
            const found = anyMark.exec(this.#held);
            if (found === null) {
                return shown + this.#rest(isComplete);
            }
            const [mark] = found;
            const isEnd = !this.#isPastReasoning && ends.includes(mark);
            if (isEnd) {
                this.habit.isUnmarked = true;
                this.#isPastReasoning = true;
            }
            shown = isEnd ? "" : shown + this.#held.slice(0, found.index);
            this.#end = marks.find(({ start }) => start === mark)?.end;
            this.#held = this.#held.slice(found.index + mark.length);
        }
    }

    /** Takes the text, but not what may be the beginning of a mark. */
    #rest(isComplete: boolean): string {
        const open = this.#held.lastIndexOf("<");
        const mayBegin = !isComplete && open >= this.#held.length - longestMark && open >= 0;
        // The character before a mark says whether the mark is code.
        const end = mayBegin ? Math.max(0, open - 1) : this.#held.length;
        const text = this.#held.slice(0, end);
        this.#held = this.#held.slice(end);
        return text;
    }
}

function markPattern(texts: readonly string[]): RegExp {
    return new RegExp(`(?<!\`)(?:${texts.map((text) => text.replaceAll("|", String.raw`\|`)).join("|")})`);
}
