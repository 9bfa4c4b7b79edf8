import { describeBytes } from "@pulumi-static-export/contract";
import { isUnfinished } from "../../exports/site-job.js";
import { mayUse, scopesToSee } from "../../http/protocol/caller.js";
import { type Answer } from "../../http/protocol/schemas.js";
import { Commit, Download, durationOf, jobPath, JobTable, Outcomes, Progress } from "./job-parts.js";
import { WarningList } from "./warning-list.js";
import {
    Act,
    Empty,
    FilterForm,
    Foreign,
    formatDuration,
    Layout,
    type PageContext,
    Pages,
    Status,
    Table,
    Time,
    withQuery,
} from "./parts.js";

interface SitesPageProps {
    context: PageContext;
    list: Answer<"SiteList">;
}

export function SitesPage({ context, list }: SitesPageProps) {
    const { search = "", state = "" } = context.query;
    const path = `${context.base}/sites`;
    const all = Object.values(list.states).reduce((sum, each) => sum + each, 0);
    return (
        <Layout title="Sites" context={context} section="/sites" isLive>
            <h1>Sites</h1>
            <FilterForm action={path}>
                <label>
                    Domain or address
                    <input type="search" name="search" value={search} />
                </label>
                {state === "" ? null : <input type="hidden" name="state" value={state} />}
                <button>Search</button>
            </FilterForm>
            <ul class="counts" aria-label="States">
                <li>
                    <a href={withQuery(path, { search })} aria-current={state === "" ? "true" : undefined}>
                        all {all}
                    </a>
                </li>
                {Object.entries(list.states)
                    .filter(([, count]) => count > 0)
                    .map(([name, count]) => (
                        <li>
                            <a
                                href={withQuery(path, { search, state: name })}
                                aria-current={state === name ? "true" : undefined}
                            >
                                {name} {count}
                            </a>
                        </li>
                    ))}
            </ul>
            <SiteTable context={context} sites={list.sites} />
            <Pages context={context} path="/sites" next={list.next} titles={{ before: "Previous", after: "Next" }} />
        </Layout>
    );
}

function SiteTable({ context, sites }: { context: PageContext; sites: readonly Answer<"Site">[] }) {
    if (sites.length === 0) {
        return <Empty context={context} one="site" none="There are no sites." />;
    }
    return (
        <Table
            title="Sites"
            columns={["State", "Site", "Last export", "Took", "Pages", "Size", "Commit"]}
            numbers={["Took", "Pages", "Size"]}
        >
            {sites.map((site) => {
                const { lastExport: last } = site;
                const running = site.unfinished.find(({ status }) => status === "running");
                const live = running ?? site.unfinished[0];
                return (
                    <tr {...(live === undefined ? {} : { "data-job": live.jobId, "data-status": live.status })}>
                        <td>
                            <Status of={site.state} />
                        </td>
                        <td>
                            <a href={`${context.base}/sites/${encodeURIComponent(site.domain)}`}>{site.domain}</a>
                            {last?.error === undefined ? null : (
                                <div class="soft">
                                    <Foreign text={last.error} limit={160} />
                                </div>
                            )}
                            {running === undefined ? null : (
                                <div>
                                    <Progress job={running} />
                                </div>
                            )}
                        </td>
                        <td>{last === null ? "" : <Time at={last.createdAt} />}</td>
                        <td class="end">
                            {last === null || isUnfinished(last) ? "" : formatDuration(durationOf(last))}
                        </td>
                        <td class="end">{last?.pageCount}</td>
                        <td class="end">
                            {last === null || last.sizeBytes === null ? "" : describeBytes(last.sizeBytes)}
                        </td>
                        <td>{last?.sourceRef === undefined ? "" : <Commit of={last} length={8} />}</td>
                    </tr>
                );
            })}
        </Table>
    );
}

interface SitePageProps {
    context: PageContext;
    site: Answer<"Site">;
    exports: Answer<"StaticExportHistory">;
    /** The warnings of the last completed export. */
    warnings: Answer<"StaticExportJob">["warnings"];
    /** The stored bundles of the site. */
    stored: { bundles: number; bytes: number } | undefined;
}

export function SitePage({ context, site, exports, warnings, stored }: SitePageProps) {
    const { caller } = context;
    const { domain, source } = site;
    const path = `/sites/${encodeURIComponent(domain)}`;
    const last = exports.jobs.find(({ status }) => status === "completed");
    const mayReadJobs = scopesToSee.export.some((scope) => caller.scopes.includes(scope));
    return (
        <Layout title={domain} context={context} section="/sites" isLive>
            <p class="trail">
                <a href={`${context.base}/sites`}>Sites</a>
            </p>
            <div class="head">
                <div>
                    <h1>{domain}</h1>
                    <p>
                        <Status of={site.state} />{" "}
                        <span class="soft">
                            {source.kind === "folder"
                                ? "a folder on the service's machine"
                                : `${source.url ?? ""} ${source.branch ?? "(default branch)"} ${source.folder ?? ""}`}
                        </span>
                    </p>
                </div>
                <div class="acts">
                    {last === undefined ? null : (
                        <>
                            <a class="button" href={`${context.base}${jobPath(last)}/open`}>
                                Open the site
                            </a>
                            <a class="button" href={`${context.base}${jobPath(last)}/changes`}>
                                What changed
                            </a>
                            <Download context={context} job={last} />
                        </>
                    )}
                    {source.kind === "repository" && mayUse(caller, "update", domain) ? (
                        <Act context={context} action={`${path}/update`} title="Publish the newest commit" />
                    ) : null}
                    {mayUse(caller, "export", domain) ? (
                        <Act context={context} action={`${path}/export`} title="Export" look="main" />
                    ) : null}
                </div>
            </div>
            {site.unfinished.length === 0 ? null : (
                <>
                    <h2>Now</h2>
                    <JobTable jobs={site.unfinished} context={context} title="Jobs that wait or run" />
                </>
            )}
            <h2>Exports</h2>
            {context.query["cursor"] === undefined && exports.jobs.length > 0 ? (
                <Outcomes jobs={exports.jobs} context={context} />
            ) : null}
            {mayReadJobs ? (
                <p>
                    <a href={withQuery(`${context.base}/failures`, { site: domain, days: "90" })}>
                        Failures of this site
                    </a>
                </p>
            ) : null}
            <JobTable jobs={exports.jobs} context={context} />
            <Pages context={context} path={path} next={exports.next} />
            <WarningList warnings={warnings} />
            <SiteSettings site={site} stored={stored} />
        </Layout>
    );
}

/** What the operator has set for a site, and what it needs. */
function SiteSettings({ site, stored }: Pick<SitePageProps, "site" | "stored">) {
    const { source, basePath, hasBuilder, previewsBelow } = site;
    const facts = [
        ["Source", source.kind === "folder" ? "a folder on the service's machine" : source.url],
        ["Branch", source.kind === "folder" ? undefined : (source.branch ?? "the default branch")],
        ["Folder", source.folder === "." ? undefined : source.folder],
        ["Base path", basePath],
        ["Builder", hasBuilder ? "the site's own" : "none: its Markdown is exported"],
        ["Previews of branches", previewsBelow === undefined ? "none" : `below ${previewsBelow}`],
        [
            "Stored",
            stored === undefined
                ? undefined
                : `${describeBytes(stored.bytes)}, ${stored.bundles} ${stored.bundles === 1 ? "bundle" : "bundles"}`,
        ],
    ].filter((fact): fact is [string, string] => fact[1] !== undefined);
    return (
        <>
            <h2>Settings</h2>
            <dl class="facts">
                {facts.map(([name, value]) => (
                    <>
                        <dt>{name}</dt>
                        <dd>
                            <Foreign text={value} />
                        </dd>
                    </>
                ))}
            </dl>
        </>
    );
}
