// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C bus with an SSD1306 on it: it takes what a panel takes, and shows what it would show in
 * /sys/kernel/debug/oled-sim: "memory", 1024 bytes as the data sheet has them (8 pages of 128
 * columns, the lowest bit on top), "lit", and "frames", how often its last byte was written.
 * "plugged" can be written: without it nothing answers, and what it showed is lost.
 *
 * Debian's i2c-stub cannot stand in: it has SMBus transfers only, and drivers of displays send a
 * whole picture as one plain I2C message.
 *
 * Source: SSD1306 data sheet rev 1.1, tables 9-1 and 10.1.3 (horizontal addressing).
 */
#include <linux/debugfs.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>

#define ADDRESS 0x3c
#define COLUMNS 128
#define PAGES 8

static u8 memory[COLUMNS * PAGES];
static struct debugfs_blob_wrapper blob = { .data = memory, .size = sizeof(memory) };
static bool lit, plugged = true;
static u32 frames;
static u8 columns[2], pages[2], column, page;
static DEFINE_MUTEX(taking);
static struct dentry *folder;

static void lose_power(void)
{
	memset(memory, 0, sizeof(memory));
	lit = false;
	columns[0] = pages[0] = column = page = 0;
	columns[1] = COLUMNS - 1;
	pages[1] = PAGES - 1;
}

static int parameters(u8 code)
{
	switch (code) {
	case 0x21: case 0x22: case 0xa3:
		return 2;
	case 0x20: case 0x81: case 0x8d: case 0xa8: case 0xd3: case 0xd5: case 0xd9: case 0xda: case 0xdb:
		return 1;
	default:
		return 0;
	}
}

static void take_commands(const u8 *codes, int count)
{
	int at = 0;

	while (at < count) {
		u8 code = codes[at];
		int wanted = parameters(code);

		if (at + wanted >= count)
			return;
		if (code == 0xae || code == 0xaf)
			lit = code == 0xaf;
		if (code == 0x21) {
			columns[0] = column = codes[at + 1] % COLUMNS;
			columns[1] = codes[at + 2] % COLUMNS;
		}
		if (code == 0x22) {
			pages[0] = page = codes[at + 1] % PAGES;
			pages[1] = codes[at + 2] % PAGES;
		}
		at += 1 + wanted;
	}
}

static void take_data(const u8 *data, int count)
{
	int at;

	for (at = 0; at < count; at++) {
		memory[page * COLUMNS + column] = data[at];
		if (column != columns[1]) {
			column = (column + 1) % COLUMNS;
			continue;
		}
		column = columns[0];
		if (page != pages[1]) {
			page = (page + 1) % PAGES;
			continue;
		}
		page = pages[0];
		frames++;
	}
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int at;

	guard(mutex)(&taking);
	if (!plugged)
		lose_power();
	for (at = 0; at < count; at++) {
		struct i2c_msg *message = &messages[at];

		if (!plugged || message->addr != ADDRESS)
			return -ENXIO; /* nobody acknowledges */
		if (message->flags & I2C_M_RD)
			memset(message->buf, lit ? 0x00 : 0x40, message->len);
		else if (message->len && message->buf[0] == 0x40)
			take_data(message->buf + 1, message->len - 1);
		else if (message->len && message->buf[0] == 0x00)
			take_commands(message->buf + 1, message->len - 1);
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = transfer,
	.functionality = functionality,
};

static struct i2c_adapter bus = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.name = "oled-sim",
	.nr = 1, /* as on a Raspberry Pi's header */
};

static int __init oled_start(void)
{
	int failed;

	lose_power();
	failed = i2c_add_numbered_adapter(&bus);
	if (failed)
		return failed;
	folder = debugfs_create_dir("oled-sim", NULL);
	debugfs_create_blob("memory", 0444, folder, &blob);
	debugfs_create_bool("lit", 0444, folder, &lit);
	debugfs_create_bool("plugged", 0644, folder, &plugged);
	debugfs_create_u32("frames", 0444, folder, &frames);
	return 0;
}

static void __exit oled_end(void)
{
	debugfs_remove(folder);
	i2c_del_adapter(&bus);
}

module_init(oled_start);
module_exit(oled_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C bus with an SSD1306 on it that shows what it was sent");
