import { createGate, isLinkRefused, mayExpireEarly } from "@pulumi-static-export/sdk/internal";

const testsAtOnce = 16;

/** Tests of the links of one process that may expire early: each link at most once, and few at the same time. */
export class LinkTests {
    readonly #isRefused: typeof isLinkRefused;
    readonly #gate = createGate(testsAtOnce);
    readonly #tested = new Map<string, Promise<boolean>>();

    /** @param testLink - asks the storage whether it refuses a link */
    constructor(testLink = isLinkRefused) {
        this.#isRefused = testLink;
    }

    /** Whether the storage refuses a link. */
    async isDead(link: string, signal: AbortSignal): Promise<boolean> {
        if (!mayExpireEarly(link)) {
            return false;
        }
        let test = this.#tested.get(link);
        if (test === undefined) {
            test = this.#gate(signal, () => this.#isRefused(link, { signal }));
            this.#tested.set(link, test);
        }
        return test;
    }
}
