import { trimTrailing } from "@pulumi-static-export/contract";
import type { dynamic } from "@pulumi/pulumi";
import { type AdminClient, type DownloadedArchive } from "@pulumi-static-export/sdk";
import { createGate, type Gate } from "@pulumi-static-export/sdk/internal";
import { definedOnly } from "../engine/defined-only.js";
import { checkMirror, maxUrlExpirySeconds, mirrorInputs } from "./check.js";
import { copyBundle } from "./copy.js";
import { diffMirror } from "./diff.js";
import { afterUpdate, EarlierCopies } from "./earlier-copies.js";
import type { Journal } from "../engine/journal/journal.js";
import { ResourceLifecycle } from "../engine/resource-lifecycle.js";
import { linkOfJob } from "../jobs/link-of-job.js";
import type { OperationContext } from "../engine/operation-context.js";
import { timeoutMsOf, transfer, type TransferContext } from "../engine/time-limit.js";
import type { MirrorInputs, MirrorState } from "./model.js";
import { StorageError } from "@pulumi-static-export/sdk/publish";
import { addressOf, defaultPrefix, keyOf, servedJob } from "./storage/copy-address.js";
import { readNote, removeObject, writeNote } from "./copy-note.js";
import type { Storage } from "./storage/storage.js";

/** The dependencies of a mirror's lifecycle. */
export interface MirrorRuntime extends OperationContext, TransferContext {
    /** Reads the settings and returns the client. Called only when a bundle is about to be requested. */
    connect(): { client: AdminClient };
    /** Reads the credentials. Called only before a request to the storage. */
    openStorage(inputs: MirrorInputs): Promise<Storage>;
    /** Reports which copies other processes serve. */
    journal: Pick<Journal, "serve" | "isServedElsewhere">;
    clock: { now(): number };
}

/** The lifecycle of a `BundleMirror`. One instance serves all mirrors of the stack. */
export class MirrorLifecycle extends ResourceLifecycle<MirrorInputs, MirrorState> {
    /**
     * Two simultaneous copies are not faster if one saturates the network, and they would need twice the disk space.
     */
    static readonly copiesAtOnce = 1;
    readonly inputs = mirrorInputs;
    readonly #runtime: MirrorRuntime;
    readonly #gate: Gate;
    readonly #earlier: EarlierCopies;

    /**
     * @param gate - limits the copies of a process
     * @param earlier - the process's record of which copies may be removed
     */
    constructor(
        runtime: MirrorRuntime,
        gate = createGate(MirrorLifecycle.copiesAtOnce),
        earlier = new EarlierCopies(),
    ) {
        super();
        this.#runtime = runtime;
        this.#gate = gate;
        this.#earlier = earlier;
    }

    /** Called for every mirror of the program before anything is deleted, but never during `pulumi destroy`. */
    protected override validate(news: Record<string, unknown>): dynamic.CheckResult<MirrorInputs> {
        this.#earlier.serve(news as MirrorInputs);
        return checkMirror(news);
    }

    protected override compare(olds: MirrorState, news: MirrorInputs): dynamic.DiffResult {
        const diff = diffMirror(olds, news, this.#runtime.clock.now());
        if (diff.replaces !== undefined) {
            this.#earlier.willReplace(olds, news);
        }
        return diff;
    }

    protected idOf = addressOf;

    /**
     * Copies the job's bundle, unless a complete copy exists already. After a failure, nothing is left in the bucket,
     * and the next `pulumi up` tries again. Signs a presigned URL again.
     */
    protected async apply(inputs: MirrorInputs, olds?: MirrorState): Promise<MirrorState> {
        if (olds === undefined) {
            // Another provider process may delete the replaced mirror afterwards.
            await this.#runtime.journal.serve(addressOf(inputs));
        }
        const state = await this.#mirror(inputs);
        return { ...state, ...(olds === undefined ? this.#earlier.wasMade(inputs) : afterUpdate(olds, inputs)) };
    }

    /** Reports the resource as deleted only when the object does not exist: the next `pulumi up` copies it again. */
    override async read(id: string, props: MirrorState): Promise<dynamic.ReadResult<MirrorState>> {
        return this.#withStorage(props, async (storage) => {
            return (await storage.find(props.key)) === undefined ? { id: "" } : { id, props };
        });
    }

    /**
     * Deletes the copy if `deleteOnRemoval` is set. Otherwise keeps the copy, without credentials or a request. If a
     * mirror with `keep` has replaced this mirror, deletes the outdated copies instead. Never deletes a copy that a
     * mirror of the program serves: a mirror and its forced replacement have the same address.
     */
    override async delete(_id: string, props: MirrorState): Promise<void> {
        const successor = this.#earlier.successorOf(props);
        if (successor !== undefined) {
            await this.#removeSurplus(successor.inputs, successor.surplusJobIds);
        } else if (props.deleteOnRemoval && (await this.#isServed(props))) {
            this.#runtime.log(`${addressOf(props)} stays, because a mirror of this program serves it`);
        } else if (props.deleteOnRemoval) {
            await this.#remove(props);
        }
    }

    /**
     * Removes a copy. If the program has moved to another endpoint, a failure at the old one is only reported:
     * otherwise, no update would succeed once the old endpoint is gone.
     */
    async #remove(copy: MirrorState): Promise<void> {
        const remove = (storage: Storage) => removeObject(storage, copy.key);
        try {
            await this.#withStorage(copy, remove);
        } catch (error) {
            const moved = this.#earlier.movedFrom(copy);
            if (moved === undefined || !(error instanceof StorageError)) {
                throw error;
            }
            const { endpoint = "the endpoint of AWS" } = copy;
            const next =
                moved.bucket === copy.bucket
                    ? "It is removed through the new endpoint"
                    : "If the old storage still exists, remove it there";
            this.#runtime.log(`${error.message} The program has moved away from ${endpoint}. ${next}.`);
            if (moved.bucket === copy.bucket) {
                const { prefix = defaultPrefix } = copy;
                await this.#withStorage({ ...moved, prefix, pin: servedJob(copy) }, remove);
            }
        }
    }

    async #mirror(inputs: MirrorInputs): Promise<MirrorState> {
        const key = keyOf(inputs);
        return this.#withStorage(inputs, async (storage) => {
            const archive = (await readNote(storage, key)) ?? (await this.#copy(inputs, storage, key));
            const address = await this.#url(inputs, storage, key);
            return definedOnly({ ...inputs, key, ...archive, ...address }) as MirrorState;
        });
    }

    #copy(inputs: MirrorInputs, storage: Storage, key: string): Promise<DownloadedArchive> {
        const timeoutMs = timeoutMsOf(this.#runtime, inputs);
        const timeoutMessage =
            `Mirror of export ${servedJob(inputs)} at ${addressOf(inputs)}: not finished within ` +
            `${timeoutMs / 1000} s. Nothing was left behind. Raise timeoutSeconds and run \`pulumi up\` again.`;
        return transfer(this.#runtime, this.#gate, { timeoutMs, timeoutMessage }, (signal) =>
            this.#copyUntil(signal, inputs, storage, key),
        );
    }

    async #copyUntil(
        signal: AbortSignal,
        inputs: MirrorInputs,
        storage: Storage,
        key: string,
    ): Promise<DownloadedArchive> {
        const startedMs = this.#runtime.clock.now();
        const { client } = this.#runtime.connect();
        const createBundle = () => linkOfJob(client, inputs, signal);
        const archive = await copyBundle(createBundle, storage, key, signal);
        await writeNote(storage, key, archive);
        const seconds = Math.round((this.#runtime.clock.now() - startedMs) / 1000);
        const what = `${archive.sizeBytes} bytes, SHA-256 ${archive.sha256}`;
        this.#runtime.log(`${servedJob(inputs)}: mirrored to ${addressOf(inputs)} (${what}, ${seconds} s)`);
        return archive;
    }

    /**
     * Removes surplus copies, and only reports a failure, because the rollout has succeeded and the next update tries
     * again.
     */
    async #removeSurplus(inputs: MirrorInputs, jobIds: readonly string[]): Promise<void> {
        const { bucket } = inputs;
        const copies: MirrorInputs[] = [];
        for (const copy of jobIds.map((jobId) => ({ ...inputs, pin: jobId }))) {
            copies.push(...((await this.#isServed(copy)) ? [] : [copy]));
        }
        if (copies.length === 0) {
            return;
        }
        try {
            await this.#withStorage(inputs, async (storage) => {
                for (const copy of copies) {
                    await removeObject(storage, keyOf(copy));
                }
            });
            this.#runtime.log(
                `s3://${bucket}: at most ${inputs.keep} earlier copies stay next to ${addressOf(inputs)}`,
            );
        } catch (error) {
            const reason = error instanceof Error ? error.message : String(error);
            this.#runtime.log(`Could not remove earlier copies. The next export tries again. ${reason}`);
        }
    }

    /**
     * Whether this program serves a copy. The address excludes the endpoint, because two endpoints may reach the same
     * storage.
     */
    async #isServed(copy: MirrorInputs): Promise<boolean> {
        return this.#earlier.isServed(copy) || this.#runtime.journal.isServedElsewhere(addressOf(copy));
    }

    async #url(inputs: MirrorInputs, storage: Storage, key: string): Promise<Partial<MirrorState>> {
        if (inputs.publicUrl !== undefined) {
            return { url: `${trimTrailing(inputs.publicUrl, "/")}/${key}` };
        }
        const nowMs = this.#runtime.clock.now();
        const { urlExpirySeconds = maxUrlExpirySeconds } = inputs;
        const { url, expiresAtMs } = await storage.presign(key, urlExpirySeconds, nowMs);
        return {
            url,
            urlExpiresAt: new Date(expiresAtMs).toISOString(),
            // Half of the lifetime remains for pods that start later and for stacks that are rarely updated.
            urlRenewAt: new Date(nowMs + (expiresAtMs - nowMs) / 2).toISOString(),
        };
    }

    async #withStorage<T>(inputs: MirrorInputs, work: (storage: Storage) => Promise<T>): Promise<T> {
        const storage = await this.#runtime.openStorage(inputs);
        try {
            return await work(storage);
        } finally {
            storage.close();
        }
    }
}
