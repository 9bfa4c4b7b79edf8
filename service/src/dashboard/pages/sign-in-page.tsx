import { type PageContext, Foreign, Head, Layout, Once, Time, withQuery } from "./parts.js";

interface SignInPageProps {
    base: string;
    csrf: string;
    /** Whether people can sign in with an identity provider. */
    hasProvider: boolean;
    /** Whether the service has printed a link that still works. */
    hasLink: boolean;
    /** The path to show afterwards, below the dashboard's. */
    next: string;
    error?: string;
}

export function SignInPage({ base, csrf, hasProvider, hasLink, next, error }: SignInPageProps) {
    return (
        <html lang="en">
            <Head title="Sign in" base={base} />
            <body>
                <main class="sign-in card">
                    <h1>Sign in</h1>
                    {error === undefined ? null : (
                        <div class="note danger" role="alert">
                            {error}
                        </div>
                    )}
                    {hasProvider ? (
                        <p>
                            <a class="button main" href={withQuery(`${base}/sign-in/provider`, { next })}>
                                Sign in with your organization
                            </a>
                        </p>
                    ) : null}
                    <form method="post" action={`${base}/sign-in`}>
                        <input type="hidden" name="_csrf" value={csrf} />
                        <input type="hidden" name="next" value={next} />
                        <label>
                            Admin API key
                            <input type="password" name="key" required autocomplete="off" />
                        </label>
                        <p>
                            <button class={hasProvider ? undefined : "main"}>Sign in</button>
                        </p>
                    </form>
                    {hasLink ? (
                        <p class="soft">
                            On this machine, you can also open the link that <code>static-export serve</code> has
                            printed.
                        </p>
                    ) : null}
                </main>
            </body>
        </html>
    );
}

/** Only the button redeems the link, because programs follow links, too. */
export function SignInLinkPage({ base, csrf, link }: { base: string; csrf: string; link: string }) {
    return (
        <html lang="en">
            <Head title="Sign in" base={base} />
            <body>
                <main class="sign-in card">
                    <h1>Sign in</h1>
                    <form method="post" action={`${base}/sign-in/link`}>
                        <input type="hidden" name="_csrf" value={csrf} />
                        <input type="hidden" name="link" value={link} />
                        <Once />
                        <p>
                            <button class="main">Sign in as the operator</button>
                        </p>
                    </form>
                </main>
            </body>
        </html>
    );
}

/** How soon the browser tries again, also without scripts. */
export const awayRefreshSeconds = 5;

interface AwayPageProps {
    base: string;
    message: string;
    since: string;
    /** Whether the answer is to a form, which only the browser can send again with what the person has typed. */
    isForm: boolean;
}

export function AwayPage({ base, message, since, isForm }: AwayPageProps) {
    return (
        <html lang="en">
            <Head title="Not available" base={base}>
                {isForm ? null : <meta http-equiv="refresh" content={String(awayRefreshSeconds)} />}
            </Head>
            <body>
                <main class="sign-in card">
                    <h1>Not available at the moment</h1>
                    <div class="note warning" role="status">
                        {message}
                    </div>
                    <p>
                        Not available since <Time at={since} />.{" "}
                        {isForm
                            ? "Reload this page in a moment to send the form again, with everything that you typed. The form is processed only once."
                            : `The page tries again every ${awayRefreshSeconds} seconds.`}
                    </p>
                </main>
            </body>
        </html>
    );
}

/** For people outside of the dashboard, about whom nothing is known. */
export function OutsidePage({ base, message }: { base: string; message: string }) {
    return (
        <html lang="en">
            <Head title="Not found" base={base} />
            <body>
                <main class="sign-in card">
                    <h1>Not found</h1>
                    <div class="note danger" role="alert">
                        <Foreign text={message} />
                    </div>
                    <p>
                        <a href={base}>The dashboard</a>
                    </p>
                </main>
            </body>
        </html>
    );
}

export function ErrorPage({ context, status, message }: { context: PageContext; status: number; message: string }) {
    return (
        <Layout title={`Error ${status}`} context={context} section="">
            <h1>{status === 404 ? "Not found" : "That did not work"}</h1>
            <div class="note danger" role="alert">
                <Foreign text={message} />
            </div>
            <p>
                <a href={`${context.base}/sites`}>Sites</a>
            </p>
        </Layout>
    );
}
