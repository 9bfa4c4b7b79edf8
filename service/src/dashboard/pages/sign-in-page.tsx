import { type PageContext, Foreign, Head, Layout, Time } from "./parts.js";

interface SignInPageProps {
    base: string;
    csrf: string;
    /** Whether people can sign in with an identity provider. */
    hasProvider: boolean;
    error?: string;
}

export function SignInPage({ base, csrf, hasProvider, error }: SignInPageProps) {
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
                            <a class="button main" href={`${base}/sign-in/provider`}>
                                Sign in with your organization
                            </a>
                        </p>
                    ) : null}
                    <form method="post" action={`${base}/sign-in`}>
                        <input type="hidden" name="_csrf" value={csrf} />
                        <label>
                            Admin API key
                            <input type="password" name="key" required autocomplete="off" />
                        </label>
                        <p>
                            <button class={hasProvider ? undefined : "main"}>Sign in</button>
                        </p>
                    </form>
                    <p class="soft">
                        On this machine, you can also open the link that <code>static-export serve</code> prints when it
                        starts.
                    </p>
                </main>
            </body>
        </html>
    );
}

/**
 * Opens the first page after a sign-in with an identity provider. A redirect would not do: browsers send no strict
 * cookie while they follow redirects from another site.
 */
export function SignedInPage({ base }: { base: string }) {
    return (
        <html lang="en">
            <Head title="Signed in" base={base}>
                <meta http-equiv="refresh" content={`0; url=${base}/sites`} />
            </Head>
            <body>
                <main class="sign-in card">
                    <h1>You are signed in</h1>
                    <p>
                        <a href={`${base}/sites`}>Sites</a>
                    </p>
                </main>
            </body>
        </html>
    );
}

/** How soon the browser tries again, also without scripts. */
export const awayRefreshSeconds = 5;

export function AwayPage({ base, message, since }: { base: string; message: string; since: string }) {
    return (
        <html lang="en">
            <Head title="Not available" base={base}>
                <meta http-equiv="refresh" content={String(awayRefreshSeconds)} />
            </Head>
            <body>
                <main class="sign-in card">
                    <h1>Not available at the moment</h1>
                    <div class="note warning" role="status">
                        {message}
                    </div>
                    <p>
                        This has been so since <Time at={since} />. The page tries again every {awayRefreshSeconds}{" "}
                        seconds.
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
