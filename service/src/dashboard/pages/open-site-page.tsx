import { jobPath } from "./job-parts.js";
import { Head, type PageContext } from "./parts.js";

interface OpenSitePageProps {
    context: PageContext;
    job: { jobId: string; domain: string };
    /** The address of the site's first page. */
    address: string;
}

/** Shows an exported site in a frame below a line that says whose content it is. */
export function OpenSitePage({ context, job, address }: OpenSitePageProps) {
    return (
        <html lang="en">
            <Head title={`Exported files of ${job.domain}`} base={context.base} />
            <body class="opened">
                <header class="top">
                    <a href={context.base + jobPath(job)}>Back to the export</a>
                    <h1>{`Exported files of ${job.domain}`}</h1>
                    <span class="soft">Never enter a password or key below this line.</span>
                </header>
                <iframe title={`The site ${job.domain}`} src={address} sandbox="allow-scripts" />
            </body>
        </html>
    );
}
