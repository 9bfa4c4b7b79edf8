import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

/** Returns the text of the first callout and of the rest of the page. */
async function read(source: string): Promise<{ callout: string; rest: string; warnings: string[] }> {
    const { html, warnings } = await articleOf(`${source}\n`);
    const textOf = (part: string) =>
        part
            .replace(/<[^>]*>/g, "")
            .replace(/\s+/g, " ")
            .trim();
    const [whole = "", inner = ""] = /<div class="callout[^>]*>([^]*?)<\/div>(?=\s*(?:<(?!\/div)|$))/.exec(html) ?? [];
    return { callout: textOf(inner), rest: textOf(html.replace(whole, "")), warnings };
}

describe("A hint of GitBook", () => {
    const forms: Record<string, string> = {
        "on separate lines": '{% hint style="info" %}\nBack up **first**.\n{% endhint %}\n\nAfter.',
        "on one line": '{% hint style="info" %}Back up **first**.{% endhint %}\n\nAfter.',
        "that begins on the line of its tag": '{% hint style="info" %} Back up\n**first**.\n{% endhint %}\n\nAfter.',
        "that ends on the line of its tag": '{% hint style="info" %}\nBack up\n\n**first**. {% endhint %}\n\nAfter.',
        "between its tags": '{% hint style="info" %}Back up\n**first**.{% endhint %}\n\nAfter.',
        "directly above text": '{% hint style="info" %}Back up\n**first**.{% endhint %}\nAfter.',
        "of an unknown style": '{% hint style="blue" %}\nBack up **first**.\n{% endhint %}\n\nAfter.',
        "without a style": "{% hint %}Back up\n**first**.\n{% endhint %}\n\nAfter.",
        "of Markdoc": "{% hint style='info' %} Back up\n**first**.\n{% /hint %}\n\nAfter.",
        "in a list": '- After.\n\n  {% hint style="info" %}Back up\n  **first**. {% endhint %}',
    };
    for (const [what, source] of Object.entries(forms)) {
        it(`is a callout: ${what}`, async () => {
            const { callout, rest, warnings } = await read(source);
            assert.equal(callout, "Info Back up first.");
            assert.equal(rest, "A After.");
            assert.deepEqual(warnings, []);
        });
    }

    it("may contain code, lists, braces and other hints", async () => {
        const inner = '{% hint style="danger" %}Deep{% endhint %}';
        const source = `{% hint %} Use {'{a}'}:\n\n- one\n\n\`\`\`\n{% endhint %}\n\`\`\`\n\n${inner}\n\nlast {% endhint %}`;
        const { html, warnings } = await articleOf(`${source}\n\nAfter.\n`);
        assert.deepEqual(warnings, []);
        assert.match(html, /Use \{a\}:[^]*<li>one[^]*<code>\{% endhint %\}[^]*callout danger[^]*Deep[^]*last[^]*After/);
        assert.doesNotMatch(html, /:::|[\uE000-\uE00F]/);
    });

    it("is read quickly even if it is nested very deeply", async () => {
        const html = await exportPage("a.md", `${"{% hint %}\n".repeat(20_000)}${"{% endhint %}\n".repeat(20_000)}`);
        assert.match(html, /callout info/);
    }).timeout(20_000);

    it("is text, with a warning, if one of its tags is missing or it is within a line", async () => {
        for (const source of [
            '{% hint style="info" %}\nText',
            "Text {% endhint %}",
            'Text {% hint style="info" %}inside{% endhint %} a line',
            "{% hint %}One{% endhint %} {% hint %}Two{% endhint %}",
        ]) {
            const { html, warnings } = await articleOf(`${source}\n`);
            assert.equal(warnings.length, 1, source);
            assert.doesNotMatch(html, /:::|class="callout/);
            assert.match(html, /hint/);
        }
    });
});

describe("GitBook's tags in Markdown", () => {
    const readPage = async (file: string, source: string) => {
        assert.deepEqual(await warningsOf({ [file]: source }), []);
        const html = await exportPage(file, source);
        assert.doesNotMatch(html, /\{%/);
        return html;
    };

    it("become callouts, titles and links instead of literal text", async () => {
        const html = await readPage(
            "a.md",
            '# A\n\n{% hint style="warning" %}\nMind **this**.\n{% endhint %}\n\n{% tabs %}\n{% tab title="npm" %}\nRun it.\n{% endtab %}\n{% endtabs %}\n\n' +
                '{% code title="a.js" %}\n```js\nx\n```\n{% endcode %}\n\n{% embed url="https://example.com/video" %}\n\n' +
                '1. one\n\n   {% hint style="info" %}\n   two\n   {% endhint %}\n',
        );
        assert.match(
            html,
            /class="callout warning"[^]*Mind <strong>this<\/strong>[^]*<strong>npm<\/strong><br>\s*Run it/,
        );
        assert.match(html, /<strong>a\.js<\/strong>[^]*<a href="https:\/\/example\.com\/video"[^>]*>video<\/a>/);
        assert.match(html, /<li>[^]*one[^]*class="callout info"[^]*two/);
    });

    it("are parsed in MDX, and in the notation of Markdoc", async () => {
        const html = await readPage(
            "a.mdx",
            '<Tip>t</Tip>\n\n{% hint style="info" %}\nMind **this**.\n{% endhint %}\n\n{% tabs %}\n{% tab label="npm" %}\nRun it.\n{% /tab %}\n{% /tabs %}\n',
        );
        assert.match(
            html,
            /callout tip[^]*class="callout info"[^]*<strong>this<\/strong>[^]*<strong>npm<\/strong><br>/,
        );
    });

    it("are unchanged in code, within lines of text, and if GitBook does not define them", async () => {
        const page =
            '# A\n\n{% tabs %}\n\nuse `{% hint %}` and {% hint %}\n\n```\n{% hint style="info" %}\n```\n\n{% raw %}\n';
        assert.match(
            await exportPage("a.md", page),
            /use <code>\{% hint %\}<\/code> and \{% hint %\}[^]*\{% hint style=[^]*\{% raw %\}/,
        );
    });
});
