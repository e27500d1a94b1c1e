package io.credential.webhook.event;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** An event with every kind of component. */
@WebhookEvent(value = "invoice.paid", description = "An invoice was paid in full.")
public record InvoicePaid(
        UUID id,
        @JsonProperty("no") int number,
        long cents,
        double rate,
        BigDecimal total,
        boolean partial,
        Instant paidAt,
        LocalDate dueDate,
        URI receipt,
        Method method,
        Channel channel,
        @JsonPropertyDescription("Who paid") Customer customer,
        List<Line> lines,
        Set<String> tags,
        Map<String, Integer> discounts,
        Optional<String> coupon,
        @Nullable String note,
        @Nullable Method refund) {

    public enum Method {
        CARD,
        @JsonProperty("bank")
        TRANSFER
    }

    @ExtensibleEnum
    public enum Channel {
        WEB,
        APP
    }

    public record Customer(String name, @Nullable String email) {}

    public record Line(String item, int quantity) {}

    public static InvoicePaid sample() {
        return new InvoicePaid(
                UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
                4711,
                1999,
                0.19,
                new BigDecimal("19.99"),
                false,
                Instant.ofEpochSecond(1767225600),
                LocalDate.of(2026, 1, 1),
                URI.create("https://shop.example/receipts/4711"),
                Method.TRANSFER,
                Channel.WEB,
                new Customer("Ada", null),
                List.of(new Line("kettle", 1)),
                Set.of("new"),
                Map.of("spring", 5),
                Optional.empty(),
                null,
                null);
    }

    public InvoicePaid paidBy(Method method, Customer customer) {
        return new InvoicePaid(
                id, number, cents, rate, total, partial, paidAt, dueDate, receipt, method, channel, customer, lines,
                tags, discounts, coupon, note, refund);
    }
}
