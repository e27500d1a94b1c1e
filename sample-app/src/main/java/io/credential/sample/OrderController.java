package io.credential.sample;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.credential.spring.security.RequiresScope;

/** Lists and accepts orders; reading and writing require different scopes. */
@RestController
@RequestMapping("/orders")
class OrderController {

    private static final int MAX_ITEM_LENGTH = 255;

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @GetMapping
    @RequiresScope("orders:read")
    List<Order> list() {
        return orders.newest();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @RequiresScope("orders:write")
    Order place(@RequestBody NewOrder order) {
        return orders.place(order.requiredItem());
    }

    record NewOrder(@Nullable String item) {

        String requiredItem() {
            if (item == null
                    || item.isBlank()
                    || item.length() > MAX_ITEM_LENGTH
                    || item.chars().anyMatch(Character::isISOControl)) {
                throw new ResponseStatusException(
                        HttpStatus.BAD_REQUEST,
                        "item is required: 1 to " + MAX_ITEM_LENGTH + " characters, no control characters");
            }
            return item;
        }
    }
}
