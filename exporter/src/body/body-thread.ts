import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from "node:worker_threads";
import { type SitePlan } from "../plan/site-plan.js";
import { type BodyAnswer, type BodyRequest, type BodyThreadData } from "./body-thread-message.js";
import { type BodyContext } from "./render-body.js";

// The same way from src/body/, from dist/body/ and from the bundle itself.
const program = new URL("../../dist/bundled/body-thread-main.mjs", import.meta.url);

/** The limit of its JavaScript heap, in addition to that of the process. */
const maxMegabytes = 128;

/** The second thread, as it is seen from the first. */
export class BodyThread {
    readonly #worker: Worker;
    readonly #port: MessagePort;
    readonly #arrived: BodyAnswer[] = [];
    #isAlive = true;
    #wake: (() => void) | undefined;

    constructor({ content, settings, targets }: SitePlan, { icons, features, apiDisplay }: BodyContext) {
        const { port1, port2 } = new MessageChannel();
        const { domain, pages, assets, listed, exported, isRootKnown } = targets;
        const workerData: BodyThreadData = {
            port: port2,
            files: content.files,
            redirects: settings.redirects ?? [],
            targets: { domain, pages, assets, listed, exported, isRootKnown },
            icons,
            features,
            apiDisplay,
        };
        this.#port = port1;
        this.#worker = new Worker(program, {
            workerData,
            transferList: [port2],
            resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
        });
        this.#port.on("message", (answers: readonly BodyAnswer[]) => {
            this.#arrived.push(...answers);
            this.#wake?.();
        });
        // Out of memory, for example: without a listener this would end the process.
        this.#worker.once("error", () => this.#end());
        this.#worker.once("exit", () => this.#end());
    }

    get isAlive(): boolean {
        return this.#isAlive;
    }

    give(batch: readonly BodyRequest[]): void {
        this.#port.postMessage(batch);
    }

    /** What has come back since the last call. */
    answers(): BodyAnswer[] {
        const answers = this.#arrived.splice(0);
        // Without waiting for a turn of the event loop.
        for (let got; (got = receiveMessageOnPort(this.#port)) !== undefined;) {
            answers.push(...(got.message as readonly BodyAnswer[]));
        }
        return answers;
    }

    /** Resolves when there are answers, or when the thread has ended. */
    async news(): Promise<void> {
        if (this.#isAlive && this.#arrived.length === 0) {
            await new Promise<void>((resolve) => (this.#wake = resolve));
        }
    }

    close(): void {
        this.#end();
        void this.#worker.terminate();
    }

    #end(): void {
        this.#isAlive = false;
        this.#port.close();
        this.#wake?.();
    }
}
