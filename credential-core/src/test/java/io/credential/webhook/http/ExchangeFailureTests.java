package io.credential.webhook.http;

import java.net.SocketTimeoutException;
import java.util.List;

import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.util.Deadline;
import org.apache.hc.core5.util.DeadlineTimeoutException;
import org.junit.jupiter.api.Test;

import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;

class ExchangeFailureTests {

    private final VettedDestination destination = Sending.to("https://hooks.example.com/", "127.0.0.1");

    @Test
    void toExceptionWhenWaitTimesOutThenTimeout() {
        for (Exception cause : List.of(
                new ConnectionRequestTimeoutException("pool"),
                DeadlineTimeoutException.from(Deadline.fromUnixMilliseconds(1)),
                new SocketTimeoutException("bytes"))) {
            assertThat(ExchangeFailure.toException(cause, destination, false).failure())
                    .as("%s", cause)
                    .isEqualTo(Failure.TIMEOUT);
        }
    }

    @Test
    void toExceptionWhenConnectTimesOutThenConnectFailure() {
        assertThat(ExchangeFailure.toException(new ConnectTimeoutException("connect"), destination, false)
                        .failure())
                .isEqualTo(Failure.CONNECT);
    }
}
