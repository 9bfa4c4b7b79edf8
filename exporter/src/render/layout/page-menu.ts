import { wordsBefore } from "../../text/strings.js";
import { iconSvg } from "../../html/icon-set.js";
import {
    canonicalPath,
    canonicalUrl,
    encodePath,
    hasDomain,
    markdownFileOf,
    relativeHref,
    mcpUrl,
    siteUrl,
} from "../../read/files/routes.js";
import { menuOptions, type MenuOption, type OwnMenuOption } from "../../read/settings/page-menu.js";
import { escapeHtml } from "../../text/html-text.js";
import { word } from "../../words/words.js";
import { frameId } from "./frame-ids.js";
import { type PageView } from "./page-view.js";

/** An entry of a page's menu: a link, or a button that copies text. */
interface Action {
    /** The option's name in the settings; `custom` for the site's own options. */
    readonly option: string;
    readonly icon: string;
    readonly title: string;
    readonly description?: string;
    readonly href?: string;
    /** The text for the clipboard; empty for the page's Markdown. */
    readonly copies?: string;
    /** The option is hidden until the deployment, or `static-export pdf`, provides the feature. */
    readonly needs?: "aiAssistant" | "mcp" | "pdf";
}

/** The maximum length of a page's text in a link; servers refuse longer addresses, so the link omits the rest. */
const maxPageInLink = 4000;

/** The name of each AI tool, and the address to which links append a question about the page. */
const aiTools = {
    chatgpt: ["ChatGPT", "https://chatgpt.com/?hints=search&q="],
    claude: ["Claude", "https://claude.ai/new?q="],
    perplexity: ["Perplexity", "https://www.perplexity.ai/search?q="],
    grok: ["Grok", "https://grok.com/?q="],
    aistudio: ["Google AI Studio", "https://aistudio.google.com/prompts/new_chat?prompt="],
    devin: ["Devin", "https://app.devin.ai/?prompt="],
    "devin-desktop": ["Devin Desktop", "devin://cascade?prompt="],
} as const satisfies Partial<Record<MenuOption, readonly [name: string, address: string]>>;

/**
 * Writes the page's menu in the order of the settings: the first entry as a button, the others in a list that opens.
 */
export function pageMenuHtml(view: PageView): string {
    const options = view.markdown === undefined ? [] : (view.settings.pageMenu?.options ?? []);
    const actions = options.flatMap((option) => actionOf(option, view) ?? []);
    const [first, ...others] = actions;
    if (first === undefined) {
        return "";
    }
    const items = others.map((action) => `<li>${actionHtml(action, view)}</li>`).join("");
    const hidden = `<span class="visually-hidden">${word("moreActions")}</span>`;
    const more = `<summary${frameId("page-context-menu-button", view.body)}>${hidden}</summary>`;
    const list = items === "" ? "" : `<details class="switcher">${more}<ul>${items}</ul></details>`;
    const status = '<span class="visually-hidden" role="status"></span>';
    const content = actionHtml(first, view) + list + status;
    const attributes = `${frameId("page-context-menu", view.body)} role="group" aria-label="${word("pageActions")}"`;
    return `<div class="page-menu"${attributes}>${content}</div>\n`;
}

/** The Markdown that the menu copies. The Markdown is in the page itself, because pages on disk cannot load files. */
export function copiedMarkdown({ settings, markdown }: PageView): string {
    if (markdown === undefined || settings.pageMenu?.options?.includes("copy") !== true) {
        return "";
    }
    const json = JSON.stringify(markdown).replaceAll("<", "\\u003c");
    return `<script type="application/json" class="page-markdown">${json}</script>\n`;
}

function actionHtml({ option, icon, title, description, href, copies, needs }: Action, { hasMcp }: PageView): string {
    const text = description === undefined ? "" : `<span class="choice-text">${description}</span>`;
    const shown = `${icon}<span>${title}${text}</span>`;
    const needed = needs === undefined ? "" : ` data-needs="${needs}"`;
    if (href !== undefined) {
        const hidden = needs === undefined || hasMcp ? "" : " hidden";
        return `<a data-option="${option}" href="${escapeHtml(href)}"${needed}${hidden}>${shown}</a>`;
    }
    const copied = `data-copies="${escapeHtml(copies ?? "")}"`;
    return `<button type="button" data-option="${option}" ${copied}${needed} hidden>${shown}</button>`;
}

/** Returns undefined if the page lacks the content that the option needs. */
function actionOf(option: MenuOption | OwnMenuOption, view: PageView): Action | undefined {
    const found = typeof option === "string" ? knownAction(option, view) : ownAction(option, view);
    return found && { option: typeof option === "string" ? option : "custom", ...found };
}

function knownAction(option: MenuOption, view: PageView): Omit<Action, "option"> | undefined {
    const { page, site, siteName, documentHref } = view;
    const mcp = mcpUrl(site);
    const need = menuOptions[option];
    // Tools cannot read a site whose address is unknown.
    if (!hasDomain(site) && (need === "aiTools" || need === "mcp")) {
        return undefined;
    }
    switch (option) {
        case "copy":
            return { icon: iconOf("copy"), title: word("copyPage"), copies: "" };
        case "view": {
            const href = relativeHref(page.route, markdownFileOf(page.route));
            return { icon: iconOf("file-text"), title: word("viewMarkdown"), href };
        }
        case "assistant":
            return { icon: iconOf("sparkles"), title: word("askAssistant"), needs: "aiAssistant" };
        case "download-pdf":
            return { icon: iconOf("download"), title: word("savePdf"), needs: "pdf" };
        case "download-spec":
            return documentHref === undefined
                ? undefined
                : { icon: iconOf("download"), title: word("apiDocument"), href: documentHref };
        case "mcp":
            return { icon: iconOf("plug"), title: word("copyMcp"), copies: mcp, needs: "mcp" };
        case "add-mcp":
            return {
                icon: iconOf("terminal"),
                title: word("copyMcpCommand"),
                copies: `npx add-mcp ${mcp}`,
                needs: "mcp",
            };
        case "cursor": {
            const config = Buffer.from(JSON.stringify({ url: mcp })).toString("base64");
            const query = `name=${encodeURIComponent(siteName)}&config=${encodeURIComponent(config)}`;
            return installation("Cursor", `cursor://anysphere.cursor-deeplink/mcp/install?${query}`);
        }
        case "vscode": {
            const server = encodeURIComponent(JSON.stringify({ name: siteName, type: "http", url: mcp }));
            return installation("VS Code", `vscode:mcp/install?${server}`);
        }
        case "devin-mcp": {
            const server = encodeURIComponent(JSON.stringify({ name: siteName, transport: "HTTP", url: mcp }));
            return installation("Devin", `https://app.devin.ai/settings/mcp-marketplace/setup/custom?config=${server}`);
        }
        default: {
            const [name, address] = aiTools[option];
            const subject = siteUrl(site, encodePath(markdownFileOf(page.route)));
            const question = `Read ${subject} so I can ask questions about it.`;
            return {
                icon: iconOf("message-circle"),
                title: name,
                description: word("askAboutPage"),
                href: address + encodeURIComponent(question),
            };
        }
    }
}

function installation(title: string, href: string): Omit<Action, "option"> {
    return { icon: iconOf("plug"), title, description: word("installMcp"), href, needs: "mcp" };
}

/** The action of an option that the site's author added. */
function ownAction(option: OwnMenuOption, view: PageView): Omit<Action, "option"> {
    const { title, description, query } = option;
    const { markdown = "", page, site } = view;
    const start = markdown.length <= maxPageInLink ? markdown : `${wordsBefore(markdown, maxPageInLink, " ")}…`;
    const values: Readonly<Record<string, string>> = {
        $page: `${start.trim()}\n\n${canonicalUrl(site, page.route)}`.trim(),
        $path: `/${canonicalPath(page.route)}`,
        $mcp: mcpUrl(site),
    };
    const pairs = query.map(([key, value]) => {
        const filled = value.replace(/\$(?:page|path|mcp)\b/g, (name) => values[name] ?? name);
        return `${encodeURIComponent(key)}=${encodeURIComponent(filled.replace(/\p{Surrogate}/gu, ""))}`;
    });
    const base = view.href(option.href);
    const separator = base.includes("?") ? "&" : "?";
    return {
        icon: view.icon(option),
        title: escapeHtml(title),
        ...(description !== undefined && { description: escapeHtml(description) }),
        href: pairs.length === 0 ? base : base + separator + pairs.join("&"),
        ...(query.some(([, value]) => value.includes("$mcp")) && { needs: "mcp" }),
    };
}

function iconOf(name: string): string {
    return iconSvg(name, "lucide") ?? "";
}
