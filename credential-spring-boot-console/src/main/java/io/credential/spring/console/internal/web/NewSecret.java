package io.credential.spring.console.internal.web;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.spring.console.internal.templates.JtesecretGenerated;

/**
 * A secret that was made by an action, and is in the response to it only. Does not print it.
 *
 * @param done what the action has done
 * @param name what the secret is
 * @param previousUntil until when the previous secret is valid too; null if it is not
 * @param path the page to go on with, below the path of the console
 */
public record NewSecret(
        String done, String name, String secret, @Nullable Instant previousUntil, String path) {

    /** Returns the page that shows it. */
    public Reply reply(String title, String section) {
        return Reply.page(title, section, (output, page) -> JtesecretGenerated.render(output, null, page, this));
    }

    @Override
    public String toString() {
        return "NewSecret[" + name + "]";
    }
}
