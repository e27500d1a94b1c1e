package io.credential.architecture.planted.webhook.inbox;

import io.credential.architecture.planted.webhook.http.AuditsItsRequests;

/** Breaks: what is received is processed without the parts that send. */
public final class SendsItsAnswers {

    public Object send() {
        return new AuditsItsRequests();
    }
}
