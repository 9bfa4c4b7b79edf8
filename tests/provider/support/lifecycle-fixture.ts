import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { FakePlatform } from "./fake-platform.js";
import { ProviderFixture } from "./provider-fixture.js";

/** The lifecycle of a `StaticExportBundle` with the platform in memory. */
export class LifecycleFixture extends ProviderFixture<BundleLifecycle, FakePlatform> {
    constructor() {
        super(
            (clock) => new FakePlatform(clock),
            (runtime) => new BundleLifecycle(runtime),
        );
    }

    get platform(): FakePlatform {
        return this.server;
    }

    async create(inputs: BundleInputs): Promise<BundleState> {
        return (await this.lifecycle.create(inputs)).outs as BundleState;
    }

    /** Starts a run that will be killed, and ignores its outcome. */
    createUnheard(inputs: BundleInputs): void {
        this.create(inputs).catch(() => undefined);
    }

    async update(olds: BundleState, news: BundleInputs): Promise<BundleState> {
        return (await this.lifecycle.update(olds.domain, olds, news)).outs as BundleState;
    }

    async changes(olds: BundleState, news: BundleInputs): Promise<boolean> {
        return (await this.lifecycle.diff(olds.domain, olds, news)).changes === true;
    }
}
