import { createGate, isLinkRefused, mayExpireEarly } from "@pulumi-static-export/sdk";
import { isPulumiUp } from "../engine/engine-command.js";

const testsAtOnce = 16;

/** Tests of the links of one process that may expire early: each link at most once, and few at the same time. */
export class LinkTests {
    readonly #isRefused: typeof isLinkRefused;
    readonly #isPulumiUp: () => Promise<boolean>;
    readonly #gate = createGate(testsAtOnce);
    readonly #tested = new Map<string, Promise<boolean>>();
    #isUp: Promise<boolean> | undefined;

    /** @param testLink - asks the storage whether it refuses a link */
    constructor(testLink = isLinkRefused, isUp: () => Promise<boolean> = isPulumiUp) {
        this.#isRefused = testLink;
        this.#isPulumiUp = isUp;
    }

    /** Whether the storage refuses a link. During `up`, false without a request unless the command is `pulumi up`. */
    async isDead(link: string, during: "up" | "refresh", signal: AbortSignal): Promise<boolean> {
        if (!mayExpireEarly(link) || (during === "up" && !(await (this.#isUp ??= this.#isPulumiUp())))) {
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
