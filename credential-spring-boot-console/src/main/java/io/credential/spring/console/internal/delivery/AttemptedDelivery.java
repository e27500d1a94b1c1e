package io.credential.spring.console.internal.delivery;

import io.credential.spring.console.internal.web.Reply;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;

/** Leads to a delivery that an operator wanted to be attempted at once. */
public final class AttemptedDelivery {

    private AttemptedDelivery() {}

    /** Returns a redirect to the delivery, which says whether it was attempted. */
    public static Reply reply(Delivery delivery) {
        return Reply.redirect(DeliveriesSection.PATH + "/" + delivery.deliveryId(), said(delivery));
    }

    /** A limit of the endpoint may not permit an attempt, and some payloads cannot be sent at all. */
    private static String said(Delivery delivery) {
        if (delivery.attempts() > 0) {
            return "The delivery was attempted; the latest attempt is below.";
        }
        return delivery.status() == DeliveryStatus.DEAD
                ? "The delivery could not be attempted; the last error says why."
                : "The delivery is due and will be attempted in the background.";
    }
}
