"""The faces of the Tikis as they look on white paper's terms, for when nothing was learned yet."""

import base64
import zlib
from typing import Final

import cv2
import numpy as np

from vision.palette import Tones

SHAPE: Final = (9, 6, 14, 3)
"""Names in calibration order, then rows and columns of 4 mm, then tones."""
STEPS_PER_TONE: Final = 64.0

PACKED: Final = (
    "c-kG5X>%LL5r*g9`v4XI35p~rl9H0x3LPc?|C=jv%8n_^j#QRN9K_87z+TwhxiVDMQ(bTOzO&s^H8UI5lvvgP)DTtx"
    "R$A|Yt~4<0CD<DQb%~nN${PffKvEzrpoy~i21kk`&7m>~q%<gOqZE{oXbpg3S}6sT1X@9;0M?QKi8MqS2*MpLkpdRb"
    "4pf%X#zu@s0VK5xq^lK{fGVX4_klDTnpA57^z+ZPhDIx8G&V?RdO^yeaVj7c@PTrl(atl<hS~<oti=i%e`D=SXP45V"
    "v{m8a(j%oqN*flA{3dYe0Pbn+@3p%H?h-p2>;(ZOw(W`b32-ZmP0KhTZs;>+*$#9yw5GthBVJ}~rP&eGIBG%r!6vsN"
    "w4aOL#$Z0A^ebWu>^Gie5vV<kVANr3X_KK0h-WcmX2y^P)M7V?&2>m&d}s$P8ufT`Cfi-vPI%`OMF+OuqVWMwdKQ~N"
    "XQ2Zk+XFLU)9Tm893D1t-@xNz(K=PhndtP0J>>^QdCbcfpgPsnOSnJg+Ry7_UA)A_2`W!;bwp&Z(EdiAYjuH|H@Nza"
    "G;fi5#eHw1FL`6q*Q|NP>c8UhN{enLt{@y#sNcv-E&fKDA7FE(>nkMRV15Zizd(ahzeD0M*Y5y3*<1cD@KSQTZ{9)h"
    "FCgC`a$E&&%33M8DAYfJJWSOURBs_TmimO_BPma{d<pcigoYOqzEtonRQ~`n*^2LkexbTRB|w_kc@`$sZJ?8HDLByT"
    "?~RN$(g6?xw1-X&X@T7mSvj(E>=xKcv0Xu$BPO9apE8Zqti=`<UD;%AgLy2MZMjImJRl33tQ<Ob^*X7fCD(^y+4VCB"
    "GwfyvKE`6*(#wS0`&N!ohP(~o%cF)zVs#*veW$XC2DV^w+rgWFtRtN!uEb0roJVqX#EY(2_r;<w@B7kx;zS5<Z-<o?"
    "YvI@p<xdCdp|9?bczW1WG2bTQsoNBZ8KG=L@QUbHBn?3ZFi*ScsV8;^C69Hu$%CEta?#3~UM9mwez>jrsrI%_vTHhp"
    "cD5qg2tQT5H9wuxc*@W3<i#C}N8;5;Urty!;TN}ZFr}@DJi8IeJv>>W^O-tbuy{k;JAH8r&&Fsl)PoW3J<?>S&&S~6"
    "3pkv@&XjfU<mH|1l{T%#>lr$`1%prG_0Te#vub^LhYrUmo-%jlxl?#Lf=5d<Sb@tCI2)mpTkvv-26H%=!LzTnduNd;"
    "cIUP;1KkzqZIQXHtxU(6YG=H&g<&qcJKTS=oe8q1AX?YSP<4hXxvi5=W&4kP`+sHY&ocR3c0cdCU+eA{(V41v3Edm)"
    "T%+JO82^IW?_uXh*m@8A4>-QYt!vo+2_`?G=-(>1A?yPq*ZgEbyfF?wf$$?penqX1IQj)eA89xd{TZ`<#`K!7Ya9Kn"
    "4(~%;s}~Q*`wWBMQR^DTzw(oNA2+hUvdDW#|4Z2KHu#T)hYns)I%IgHolnaB!(z9Xjcjsf(N7Hi2-vUKyK(TxoNgJE"
    "DOL!}95*#;5R_Z2Fp?R0vgilpd=;^h9Rd$1I3U`@F40{Ax>Waw?oi#OpiOj)ny3b+As8fJ5P_3e4PtrG7H>N8FI{!f"
    "*5`@7=$Hu3Tl|HKU-&d}AVU>Jk|B~<;`^TX;eZ9Swh*^5b13eI`Y6JOF6p_JOIc)Dp@n+B{Jtx$dMt5CWRZYb9>YhW"
    "Ito}oEZ?$x2KxbsEFIgj>l$?11|64m9NRpOz9m{rh5!cydqi|y&XB}FQuDrRKmZRgjwuc(3`pJ5&>ZG)C)+#ME`3(e"
    "cw0poh;}U61+1|A6tp%VOqHMdbnnm-1sQes%E{{>6Mj{PMH6PkDUi1_w&x|RsDnbdWk3r_Ymb(|&2hNl(bl#Li`0bd"
    "Evu;gqVmfoFyuTel(}?%mc|(iH#**!8MJvX{O2yFMdcM$kilR_!YvNBG~BXqr=u;7wlpx64gRK8m{xwC1z8qs_HJGV"
    "du3NPtPKuq98^_KwfFMI%j@uo`#G>41;4M#8BfR6!$?ktU@`$iBPM)3mJcI-Ka{Imsg`=RgtKu_O+Y?#%Mn?R<anm;"
    "CU7wd>M=^^UNyqA8?c_j$s8|+{(f9NJvzl0KaJ|UHJ{JG$`mL2^wG{oXz>M%#~_=d#hA@U_<jr)BQaUjw`)FIiP;1!"
    "Z_xb>n*FIKL$aCJ@{VnWcsy&yOT0<_X74q7yDsg0fp@8#Ex>3<p2nUWb8w#(Q@Nd2kIN=~Y_d(W+cvwMD0a>6u}W7W"
    "UkEWr?BV}+XAYk"
)
"""int8 steps, deflated, in base 85: medians over several sets, lamps and cameras."""


def default_faces(rows: int, columns: int) -> Tones:
    """Return the default faces (names, *rows*, *columns*, 3)."""
    steps = np.frombuffer(zlib.decompress(base64.b85decode(PACKED)), np.int8)
    faces = (steps.reshape(SHAPE) / STEPS_PER_TONE).astype(np.float32)
    return np.stack([np.asarray(cv2.resize(face, (columns, rows)), np.float32) for face in faces])
