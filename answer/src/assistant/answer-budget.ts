/** The number of characters of a token, at least for most languages and models. */
const charactersOfAToken = 4;

/** The same for output: a longer text means that the endpoint ignores the limit for tokens. */
const maxCharactersOfAToken = 10;

/** The maximum number of searches and pages of an answer, including those that a model requests at the same time. */
const maxCalls = 20;

const exhausted = "No more searches and pages are left for this answer. Answer from the texts that you have.";

/** Limits how much an answer reads and writes, also while the endpoint streams. */
export class AnswerBudget {
    #calls = 0;
    #readCharacters = 0;
    #writtenCharacters = 0;
    #isClosed = false;
    /** Calls take turns, because each uses a part of the same budget. */
    #turn: Promise<unknown> = Promise.resolve();

    /**
     * @param maxTokens of the whole answer
     * @param maxOutputTokens of one step
     */
    constructor(
        private readonly maxTokens: number,
        private readonly maxOutputTokens: number,
    ) {}

    /** Whether all texts that the model has read and written may have used up the tokens. */
    get isUsedUp(): boolean {
        return this.#isClosed || this.#readCharacters + this.#writtenCharacters > this.maxTokens * charactersOfAToken;
    }

    /** Leaves no more searches and pages. */
    close(): void {
        this.#isClosed = true;
    }

    /** Runs a search or reads a page. Without a budget, returns a text that says so to the model. */
    read(find: () => Promise<string>): Promise<string> {
        const read = this.#turn.then(async () => {
            this.#calls += 1;
            if (this.#calls > maxCalls || this.isUsedUp) {
                return exhausted;
            }
            const text = await find();
            this.#readCharacters += text.length;
            return text;
        });
        this.#turn = read.catch(() => undefined);
        return read;
    }

    /** Adds text, reasoning or input of tools. @returns whether the model may write more in this step */
    write(text: string): boolean {
        this.#writtenCharacters += text.length;
        return this.#writtenCharacters <= this.maxOutputTokens * maxCharactersOfAToken;
    }

    /** Each step may write as much as the first. */
    beginStep(): void {
        this.#readCharacters += this.#writtenCharacters;
        this.#writtenCharacters = 0;
    }
}
