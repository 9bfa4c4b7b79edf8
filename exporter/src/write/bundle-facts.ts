import { type BundledService, type BundleFacts, type DeploymentType } from "@pulumi-static-export/contract";
import { menuOptions } from "../read/settings/page-menu.js";
import { bundledServices, loadsServices } from "../read/settings/describe-integrations.js";
import { type SitePart } from "./pages/site-part.js";
import { hostsOfStyles } from "../html/loaded-hosts.js";

/** The text of `static-export/bundle.json`, for programs that check a bundle before its deployment. */
export function bundleFacts(parts: readonly [SitePart, ...SitePart[]], deployment: DeploymentType): string {
    const [{ plan }, ...others] = parts;
    const { features, settings, targets, styles, content } = plan;
    const { integrations, pageMenu } = settings;
    const services: BundledService[] = loadsServices(integrations) ? bundledServices(integrations) : [];
    const ofAll = <T>(listOf: (part: SitePart) => Iterable<T>) => parts.flatMap((part) => [...listOf(part)]);
    const isOther = (host: string) => host !== targets.domain;
    const facts: BundleFacts = {
        version: 1,
        domain: targets.domain,
        basePath: targets.basePath,
        deployment,
        pages: plan.own.size,
        privatePages: others.reduce((sum, part) => sum + part.plan.own.size, 0),
        features: {
            documentationSearch: features.search,
            aiAssistant: features.assistant,
            webAnalytics: services.some(({ kind }) => kind === "analytics"),
            apiPlayground: parts.some(({ writer }) => writer.hasTryIt),
        },
        services,
        apiServers: sorted(ofAll(({ writer }) => writer.apiServers)),
        aiTools: sorted(
            (pageMenu?.options ?? []).flatMap((option) =>
                typeof option === "string" && menuOptions[option] === "aiTools" ? [option] : [],
            ),
        ),
        embeds: sorted([
            ...ofAll(({ writer }) => writer.embeds),
            ...styles.flatMap((file) => hostsOfStyles(content.readText(file))),
        ]).filter(isOther),
    };
    return `${JSON.stringify(facts, undefined, 2)}\n`;
}

function sorted(names: readonly string[]): string[] {
    return [...new Set(names)].sort();
}
