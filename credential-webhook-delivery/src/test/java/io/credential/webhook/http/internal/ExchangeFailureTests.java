package io.credential.webhook.http.internal;

import java.net.SocketTimeoutException;
import java.util.List;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.util.Deadline;
import org.apache.hc.core5.util.DeadlineTimeoutException;
import org.junit.jupiter.api.Test;

import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;

class ExchangeFailureTests {

    private final VettedDestination destination = Sending.to("https://hooks.example.com/", "127.0.0.1");

    @Test
    void ofWhenWaitTimesOutThenTimeout() {
        for (Exception cause : List.of(
                new ConnectionRequestTimeoutException("pool"),
                DeadlineTimeoutException.from(Deadline.fromUnixMilliseconds(1)),
                new SocketTimeoutException("bytes"))) {
            assertThat(new ExchangeFailure(destination, false).of(cause).failure())
                    .as("%s", cause)
                    .isEqualTo(Failure.TIMEOUT);
        }
    }

    @Test
    void ofWhenConnectTimesOutThenPhaseIsConnect() {
        WebhookTransportException late = new ExchangeFailure(destination, false)
                .at(FailurePhase.CONNECT, null)
                .of(new ConnectTimeoutException("connect"));

        assertThat(late.reason()).isEqualTo(FailureReason.TIMED_OUT);
        assertThat(late.phase()).isEqualTo(FailurePhase.CONNECT);
        assertThat(late).hasMessage("No connection could be made to hooks.example.com:443 in time");
    }
}
