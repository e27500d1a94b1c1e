package io.credential.sample;

import java.util.List;

import io.credential.webhook.event.WebhookEvent;

/** The events of the {@link Demonstration}. */
final class DemonstrationEvents {

    static final String ORDER_CREATED = "demo.order.created";
    static final String ORDER_SHIPPED = "demo.order.shipped";
    static final String INVOICE_PAID = "demo.invoice.paid";
    static final String CUSTOMER_UPDATED = "demo.customer.updated";

    private DemonstrationEvents() {}

    @WebhookEvent(value = ORDER_CREATED, description = "An order was placed.")
    record DemoOrderCreated(int number, List<String> items) {

        static DemoOrderCreated of(int number) {
            return new DemoOrderCreated(number, List.of("kettle", "teapot"));
        }
    }

    @WebhookEvent(value = ORDER_SHIPPED, description = "All items of an order were handed to a carrier.")
    record DemoOrderShipped(int number, String carrier) {

        static DemoOrderShipped of(int number) {
            return new DemoOrderShipped(number, "Pigeon Post");
        }
    }

    /** @param total in cents */
    @WebhookEvent(value = INVOICE_PAID, description = "An invoice was paid in full.")
    record DemoInvoicePaid(int number, long total, String currency) {

        static DemoInvoicePaid of(int number) {
            return new DemoInvoicePaid(number, 1990, "EUR");
        }
    }

    @WebhookEvent(value = CUSTOMER_UPDATED, description = "A customer has another name or address.")
    record DemoCustomerUpdated(int number, String name) {

        static DemoCustomerUpdated of(int number) {
            return new DemoCustomerUpdated(number, "Ada Lovelace");
        }
    }
}
