package io.credential.spring.security.slice;

import java.util.Map;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;
import io.credential.spring.security.RequiresScope;

@SpringBootConfiguration
@EnableAutoConfiguration
class SliceApplication {

    /** Stands in for a service behind the web layer, which the slice leaves out. */
    static class Warehouse {

        @RequiresScope("warehouse:read")
        String stock() {
            return "nothing";
        }
    }

    @RestController
    static class SliceController {

        private final Warehouse warehouse;

        SliceController(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        @GetMapping("/whoami")
        String whoami(@AuthenticationPrincipal ApiKey key) {
            return key.ownerId();
        }

        @PostMapping("/orders")
        @RequiresScope("orders:write")
        String add() {
            return "added";
        }

        @PostMapping("/orders/typed")
        @RequiresScope("orders:write")
        String addTyped(@RequestBody Map<String, String> order) {
            return "added " + order.size();
        }

        @GetMapping("/stock")
        String stock() {
            return warehouse.stock();
        }
    }
}
