import type { CallOptions, ExportCallOptions, WaitOptions } from "./call-options.js";
import type { StartedStaticExportJob, StaticExportBundle, StaticExportJob } from "./static-export-job.js";

export interface StartStaticExport {
    /** Host name of the documentation site: no scheme, port, path or trailing slash. */
    domain: string;
    /** Label of this export. The server's default is the latest published version. */
    version?: string | undefined;
    /** Page paths. The server's default is every published page. */
    paths?: readonly string[] | undefined;
}

/** The export jobs of the admin API (admin-api.md, "Static export job"). */
export interface StaticExports {
    /**
     * Starts one export job, and never a second one: the request is repeated only when it provably did not start a job
     * (the connection was never made, or 429).
     * @throws AmbiguousStartError when a job may or may not have been started
     */
    start(request: StartStaticExport, options?: CallOptions): Promise<StartedStaticExportJob>;
    /** The job as it is now. Retried. */
    get(jobId: string, options?: ExportCallOptions): Promise<StaticExportJob>;
    /** A fresh link to the archive of a completed job. Retried, for a bounded while also when the server answers 409. */
    createBundle(jobId: string, options?: ExportCallOptions): Promise<StaticExportBundle>;
    /**
     * Polls until the job is completed: at once, then at intervals that follow the job's own progress. Failures that
     * may pass are waited out until the deadline; an answer such as 401, 403 or 404 ends the wait.
     * @throws JobFailedError when the job ended `failed`
     * @throws PollTimeoutError at the deadline; the job goes on
     */
    pollUntilDone(
        jobId: string,
        options?: WaitOptions<StaticExportJob> & { domain?: string | undefined },
    ): Promise<StaticExportJob>;
}
