package io.credential.architecture.planted.webhook.inbox;

import io.credential.architecture.planted.webhook.http.AuditsItsRequests;

/** Breaks: the inbox uses signatures and storage, and no HTTP client. */
public final class SendsItsAnswers {

    public Object send() {
        return new AuditsItsRequests();
    }
}
