import { decideExportJob } from "@pulumi-static-export/contract";
import type { dynamic } from "@pulumi/pulumi";
import { explain, jobWordsOf } from "../jobs/explain-failure.js";
import { JobLifecycle } from "../jobs/job-lifecycle.js";
import { finishJob } from "../jobs/start-or-adopt.js";
import { outputNames } from "../engine/resource-outputs.js";
import { checkExport, exportInputs } from "../static-export-bundle/check.js";
import { ExportOperation } from "../static-export-bundle/export-operation.js";
import { type ExportJobInputs, exportJobOutputs, type ExportJobState } from "./model.js";

/** The lifecycle of a `StaticExportJob`: it starts jobs without waiting for them. */
export class ExportJobLifecycle extends JobLifecycle<ExportJobInputs, ExportJobState, ExportOperation> {
    readonly inputs = exportInputs;
    protected readonly Operation = ExportOperation;
    protected readonly outputs = outputNames(exportJobOutputs);
    protected readonly words = {
        ...jobWordsOf({ resource: "StaticExportBundle", jobId: "se_…", startAgain: "export again" }),
        unanswered:
            'To use that job, set `jobId: "se_…"` in the arguments of the StaticExportBundle. Otherwise, the next ' +
            "`pulumi up` starts another one.",
    };

    protected override validate = (news: Record<string, unknown>) => checkExport(exportInputs, news);
    protected idOf = ({ domain }: ExportJobInputs) => domain;
    protected subjectOf = ({ domain }: ExportJobState) => domain;

    protected changeOf(olds: ExportJobState, news: ExportJobInputs): string | undefined {
        return decideExportJob(olds, news).cause;
    }

    protected async carryOut(operation: ExportOperation): Promise<Partial<ExportJobState>> {
        const { jobId, entry } = await operation.start();
        await finishJob(this.runtime, { jobId, entry, isNamed: false }, () => Promise.resolve());
        return { jobId };
    }

    /** Keeps the state, unless waiting is useless because the job is gone or has failed. */
    override async read(id: string, props: ExportJobState): Promise<dynamic.ReadResult<ExportJobState>> {
        const read = await super.read(id, props);
        return read.props?.jobId === undefined ? { id: "" } : read;
    }

    protected async refresh(props: ExportJobState, id: string): Promise<ExportJobState> {
        const { domain } = props;
        const { status } = await this.client.staticExports.get(id, { domain, signal: this.runtime.signal });
        const { jobId, ...withoutJob } = props;
        return status === "failed" ? withoutJob : props;
    }

    /** No failure is saved, because the job is the only output. */
    protected override failureOf(error: unknown): Error {
        return explain(error, undefined, this.words, this.keySource);
    }
}
