import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { AnswerBlocks } from "../../answer/src/assistant/answer-blocks.js";
import { markdownOf } from "../../answer/src/site/html-to-markdown.js";
import { listedPages } from "../../answer/src/site/page-list.js";
import { routesOf, titleOf } from "../../answer/src/site/page-path.js";
import { encodedParts } from "../../cli/src/redaction/copies/encodings.js";
import { scannedValues } from "../../cli/src/redaction/text/scanned-values.js";
import { describeSensitive } from "../../cli/src/redaction/text/sensitive-text.js";
import { withoutTokens } from "../../cli/src/redaction/text/token-formats.js";
import { createCleaner } from "../../cli/src/report/clean-text.js";
import { cleanServerText, joinLines, redact, trimSlashes, withoutQuery } from "../../contract/src/index.js";
import { rewriteCssAddresses } from "../../exporter/src/html/css-addresses.js";
import { hidingRules } from "../../exporter/src/html/hiding-styles.js";
import { rewriteSrcset } from "../../exporter/src/html/html-attributes.js";
import { hostsLoadedBy, hostsOfStyles } from "../../exporter/src/html/loaded-hosts.js";
import { whyRefused } from "../../exporter/src/html/page-scripts.js";
import { Redirects } from "../../exporter/src/plan/links/redirects.js";
import { usableRedirects } from "../../exporter/src/plan/links/site-redirects.js";
import { headingOf } from "../../exporter/src/plan/page-heading.js";
import { decodeText } from "../../exporter/src/read/files/decode-text.js";
import {
    findUnpackableName,
    isNeverPublished,
    problemOfFolder,
} from "../../exporter/src/read/files/published-names.js";
import { encodePath, relativeHref, routeOfFile } from "../../exporter/src/read/files/routes.js";
import { readFrontMatter } from "../../exporter/src/read/front-matter/front-matter.js";
import { lineOfMisplaced, mentionsDraft } from "../../exporter/src/read/readers/misplaced-settings.js";
import { mentionsReaders } from "../../exporter/src/read/readers/readers-settings.js";
import { parseFence, parseFenceMeta } from "../../exporter/src/render/code/fence-meta.js";
import { plainTextOfHtml } from "../../exporter/src/text/html-text.js";
import { isNothing } from "../../exporter/src/text/script-parser.js";
import { humanize, lettersOf, toOneLine } from "../../exporter/src/text/strings.js";
import { readHtml } from "../../exporter/src/write/finished/read-html.js";
import { BuildLog } from "../../service/src/builds/build-log.js";
import { BuildProgress } from "../../service/src/builds/build-progress.js";
import { plainText, TerminalText } from "../../service/src/dashboard/pages/shown-text.js";
import { bareAddress } from "../../service/src/forge/bare-address.js";
import { JobLogs } from "../../service/src/jobs/job-log.js";
import { SecretFilter, Secrets } from "../../service/src/output/secret-filter.js";
import { assertLinear, hostileUnits } from "../support/linear-time.js";

const secrets = ["aaaaaaaaaaab", "postgres://docs:hunter2@db/docs", "\\\\\\\\\\\\\\n"];

async function answered(text: string): Promise<void> {
    const blocks = new AnswerBlocks(() => Promise.resolve(undefined));
    for (let at = 0; at < text.length; at += 1000) {
        await blocks.push(text.slice(at, at + 1000));
    }
    await blocks.flush();
}

function built(text: string): void {
    const log = new BuildLog(secrets, (line) => new BuildProgress().read(line));
    for (let at = 0; at < text.length; at += 1000) {
        log.addOutput(Buffer.from(text.slice(at, at + 1000)));
    }
    log.end();
}

function filtered(text: string): void {
    const filter = new SecretFilter(new Secrets(secrets), () => undefined, { keepsStyles: true });
    for (let at = 0; at < text.length; at += 1000) {
        filter.add(text.slice(at, at + 1000));
    }
    filter.end();
}

/** The parts of the service, the answers and the command that read text from others. */
const readers: Record<string, (text: string) => unknown> = {
    "a file": (text) => decodeText(Buffer.from(text)),
    "front matter": (text) => [readFrontMatter(`---\n${text}\n---\n`), readFrontMatter(`---\na: "${text}\n---\n`)],
    "misplaced front matter": (text) => [
        mentionsReaders(text),
        mentionsDraft(text),
        lineOfMisplaced(text, mentionsReaders),
        lineOfMisplaced(`---${text}`, mentionsDraft),
    ],
    "a heading": (text) => headingOf(`# ${text}\n\n# ${text}`, true),
    "a block of code": (text) => [parseFence(text, text), parseFenceMeta(text)],
    "an expression": (text) => isNothing(`/*${text}`),
    "a style sheet": (text) => [
        hidingRules(text),
        hidingRules(`html { ${text} }`),
        rewriteCssAddresses(text, (href) => href),
        hostsOfStyles(text),
    ],
    "a finished page": (text) => [readHtml(text), hostsLoadedBy(text), plainTextOfHtml(text)],
    "an attribute": (text) => [whyRefused(text), rewriteSrcset(text, (href) => href)],
    "a redirect": (text) => {
        const given = [`/${text}`, "/:a/b/:c*", `/${text}:a`, `/:a${text}`].map((source) => ({
            ...{ source, destination: `/${text}`, permanent: true },
        }));
        return new Redirects(
            usableRedirects(
                given,
                () => false,
                () => undefined,
            ),
        ).find(text);
    },
    "a name": (text) => [humanize(text), lettersOf(text), encodePath(text), routeOfFile(`${text}.md`)],
    "the name of a folder": (text) => [problemOfFolder(text), isNeverPublished(text), findUnpackableName(text)],
    "a path": (text) => relativeHref("a/b", text),
    "the log of a build": built,
    "the log of an agent": filtered,
    "the log of a job": (text) => new JobLogs(() => 0).add({ jobId: "se_1", attempt: 1 }, text),
    "a log on a page": (text) => renderToString(h(TerminalText, { text })),
    "a log as text": plainText,
    "a message in one line": (text) => toOneLine(text),
    "an error of a server": (text) => cleanServerText(text, secrets),
    "a text without secrets": (text) => redact(text, secrets),
    "an address": (text) => [trimSlashes(text), withoutQuery(text), bareAddress(text), joinLines(text)],
    "an answer of a model": answered,
    "a page for a model": (text) => markdownOf(`<article>${text}</article>`),
    "a list of pages": (text) =>
        listedPages({ read: (file: string) => Promise.resolve(file === "llms.txt" ? `- [${text}` : undefined) }, []),
    "a title": (text) => titleOf(`# ${text}`),
    "a route": (text) => routesOf(text, ""),
    "a text in a report": (text) => createCleaner(secrets)(text, { characters: 100_000, lines: 100_000 }),
    "a text in a state": (text) => [
        scannedValues(text),
        describeSensitive("a", text),
        withoutTokens(text),
        [...encodedParts(text)].length,
    ],
};

describe("A hostile text", () => {
    for (const [name, read] of Object.entries(readers)) {
        it(`is read in linear time as ${name}`, async () => {
            for (const unit of hostileUnits) {
                await assertLinear(read, unit, { size: 200_000, enoughMs: 100 });
            }
        });
    }
});
