import { type Feature, type Hero, type HomePage } from "../../read/front-matter/home-page.js";
import { escapeHtml, plainTextOfHtml } from "../../text/html-text.js";
import { type RenderedBody } from "../../html/rendered-body.js";

/** The address of a link or a picture of the site, rewritten for the page. */
type Link = (href: string) => string;

/** Inserts the home page content of the front matter above the body. */
export function renderHomePage({ hero, features }: HomePage, body: RenderedBody, link: Link): RenderedBody {
    const html = (hero === undefined ? "" : heroHtml(hero, link)) + featuresHtml(features, link);
    const [first = { id: "", heading: "", text: "" }, ...others] = body.sections;
    const text = `${plainTextOfHtml(html)} ${first.text}`.trim();
    return {
        ...body,
        html: `${html}\n${body.html}`,
        sections: [{ ...first, text }, ...others],
    };
}

function heroHtml({ text, tagline, picture, actions }: Hero, link: Link): string {
    const image =
        picture === undefined
            ? ""
            : `<img class="hero-picture" src="${escapeHtml(link(picture.src))}" alt="${escapeHtml(picture.alt)}">`;
    const links = actions.map(
        ({ text: label, href }) => `<a class="button" href="${escapeHtml(link(href))}">${escapeHtml(label)}</a>`,
    );
    return [
        '<div class="hero">',
        text === undefined ? "" : `<p class="hero-text">${escapeHtml(text)}</p>`,
        tagline === undefined ? "" : `<p class="lead">${escapeHtml(tagline)}</p>`,
        links.length === 0 ? "" : `<p class="hero-actions">${links.join(" ")}</p>`,
        image,
        "</div>",
    ].join("");
}

function featuresHtml(features: readonly Feature[], link: Link): string {
    const cards = features.map(({ title, details = "", href }) => {
        const head =
            href === undefined ? escapeHtml(title) : `<a href="${escapeHtml(link(href))}">${escapeHtml(title)}</a>`;
        return `<div class="card"><p class="card-title">${head}</p><div class="card-body">${escapeHtml(details)}</div></div>`;
    });
    return cards.length === 0 ? "" : `<div class="cards" style="--columns:3">${cards.join("")}</div>`;
}
